import { transformStartLines } from "@plinth/core";
import { expect } from "chai";
import { inviteCommand } from "#plugins/admin/src/accounts/welcome-link.js";
import { administrators } from "@plinth/plugin-api-tokens";
import { eitherDatabase } from "../../databases.js";
import { runCommand } from "../../run-command.js";
import { serveAdmin, startAdminApp } from "./serve-admin.js";
import { PASSWORD } from "./sign-in.js";

const PAGE = { "sec-fetch-site": "same-origin" };
const INVITATION = "plugin::admin.invitation";

eitherDatabase("postgres", (database) => {
  describe("the first run", () => {
    const secrets = { "api-tokens": { loginLimit: 1000, adminSecret: "a-secret-of-the-tests-only" } };
    const served = serveAdmin(database, { pluginConfigs: secrets });
    const linesOf = (app = served().plinth.app) =>
      app.hooks.waterfall(transformStartLines, [], { url: "http://127.0.0.1:1337" });
    const codeOf = async () => (await linesOf())[0]?.text.split("#")[1] ?? "";
    const welcome = (code: string, values: object = {}) => {
      const body = { code, name: "Ada Lovelace", email: "Ada@example.com", password: PASSWORD, ...values };
      return served().ask("POST", "/admin/api/welcome", PAGE, body);
    };

    it("prints one link, the same at every start and in every process", async () => {
      const [line, ...others] = await linesOf();
      expect(others).to.deep.equal([]);
      expect(line?.name).to.equal("welcome");
      expect(line?.text).to.match(/^http:\/\/127\.0\.0\.1:1337\/admin\/welcome#[\w-]{43}$/);
      expect(await linesOf()).to.deep.equal([line]);
      if (database.kind === "pglite") return;
      const other = await startAdminApp(database, { pluginConfigs: secrets });
      expect(await linesOf(other.plinth.app)).to.deep.equal([line]);
      await other.plinth.stop();
    });

    it("prints that link, too, after the secret was replaced", async () => {
      if (database.kind === "pglite") return;
      const lineWith = async (...adminSecret: readonly string[]) => {
        const other = await startAdminApp(database, { pluginConfigs: { "api-tokens": { adminSecret } } });
        const [line] = await linesOf(other.plinth.app);
        await other.plinth.stop();
        return line;
      };
      const [line] = await linesOf();
      const { adminSecret } = secrets["api-tokens"];
      expect(await lineWith("another secret of the tests", adminSecret)).to.deep.equal(line);
    });

    it("keeps no code, and writes none into the log", async () => {
      const code = await codeOf();
      const rows = await served().plinth.app.documents(INVITATION).findMany({});
      expect(rows).to.have.length(1);
      expect(JSON.stringify(rows)).not.to.include(code);
      expect(served().logged.join("\n")).not.to.include(code);
    });

    it("refuses codes that are wrong or have expired, and passwords that are weak, and the link stays valid", async () => {
      const code = await codeOf();
      const wrong = await welcome("x".repeat(43));
      expect([wrong.status, wrong.body.error.code]).to.deep.equal([403, "PLINTH_ADMIN_LINK_INVALID"]);
      for (const password of ["short", "password123", "ada@example.com"])
        expect((await welcome(code, { password })).status, password).to.equal(400);
      expect((await welcome(code, { name: "" })).body.error.code).to.equal("PLINTH_ADMIN_INVALID");
      expect((await welcome(code, { role: "super" })).status).to.equal(400);
      expect((await served().ask("POST", "/admin/api/welcome", {}, {})).status).to.equal(403);
      expect(await served().plinth.app.service(administrators).list()).to.deep.equal([]);
      const { app } = served().plinth;
      const [row] = await app.documents(INVITATION).findMany({});
      const changed = (expiresAt: string) =>
        app.documents(INVITATION).update({ documentId: row?.documentId ?? "", data: { expiresAt } });
      await changed(new Date(Date.now() - 1000).toISOString());
      expect((await welcome(code)).status).to.equal(403);
      await changed(new Date(Date.now() + 60_000).toISOString());
      expect(await codeOf()).to.equal(code);
    });

    it("makes the first administrator, who is signed in and may do everything; the link works once", async () => {
      const code = await codeOf();
      const answers = await Promise.all([welcome(code), welcome(code, { email: "eve@example.com" })]);
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 403]);
      const made = answers.find(({ status }) => status === 200);
      expect(made?.body.user).to.include({ name: "Ada Lovelace", role: "super" });
      const cookie = made?.headers.getSetCookie()[0]?.split(";")[0] ?? "";
      expect((await served().ask("GET", "/admin/api-tokens", { ...PAGE, cookie })).status).to.equal(200);
      expect((await welcome(code, { email: "eve@example.org" })).status).to.equal(403);
      expect(await linesOf()).to.deep.equal([]);
      expect(await served().plinth.app.service(administrators).list()).to.have.length(1);
    });

    it("invites others by a command, each to a role and for their address only", async () => {
      const { app } = served().plinth;
      const invite = async (options: Readonly<Record<string, string>>) =>
        (await runCommand(inviteCommand, app, { options })).stdout.split("\n");
      const [link = ""] = await invite({ email: "Grace@example.com", role: "editor" });
      expect(link).to.match(/^http:\/\/localhost:0\/admin\/invited#[\w-]{43}$/);
      const code = link.split("#")[1] ?? "";
      const accept = (values: object) =>
        served().ask("POST", "/admin/api/invitations/accept", PAGE, {
          code,
          name: "Grace",
          password: PASSWORD,
          ...values,
        });
      expect((await welcome(code, { email: "grace@example.com" })).status, "it is not that of the first one").to.equal(
        403,
      );
      expect((await accept({ email: "mallory@example.com" })).status, "it names the address").to.equal(400);
      const made = await accept({});
      expect(made.body.user).to.include({ email: "grace@example.com", role: "editor", name: "Grace" });
      const failureOf = (options: Readonly<Record<string, string>>) => invite(options).catch((error: unknown) => error);
      expect(await failureOf({ email: "GRACE@example.com" })).to.include({ code: "PLINTH_ADMIN_ACCOUNT_EXISTS" });
      expect(await failureOf({ email: "x@example.com", role: "editr" })).to.include({
        code: "PLINTH_ADMIN_UNKNOWN_ROLE",
      });
    });
  });
});
