import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { ROLES_LOCK } from "#plugins/admin/src/access/roles.js";
import { accounts } from "#plugins/admin/src/accounts/accounts.js";
import { passwordResets } from "#plugins/admin/src/accounts/password-resets.js";
import { secondFactors } from "#plugins/admin/src/second-factor/second-factors.js";
import { eitherDatabase } from "../../databases.js";
import { type Answered, serveAdmin } from "./serve-admin.js";
import { administratorOf, signIn } from "./sign-in.js";

type Sent = Readonly<Record<string, string>>;
const PAGE: Sent = { "sec-fetch-site": "same-origin" };
const ADMINISTRATOR = "plugin::api-tokens.admin";
const saysOf = ({ status, body }: Answered) => [status, body?.error?.code];

const ROLES = {
  manager: ["api::*.*", "plugin::upload.*", "plugin::schedule.*", "plugin::admin.accounts"],
  reader: ["api::article.article.find"],
};

eitherDatabase("postgres", (database) => {
  describe("accounts and invitations above who looks after accounts", () => {
    const served = serveAdmin(database, { pluginConfigs: { admin: { roles: ROLES } } });
    const ask = (method: string, path: string, headers: Sent = PAGE, body?: unknown) =>
      served().ask(method, `/admin/api${path}`, headers, body);
    const as = (role: string) => signIn(served().plinth.app, role);

    it("are safe from who looks after them as soon as they become more, however close it is", async () => {
      const { app } = served().plinth;
      const headers = await as("manager");
      const { id, documentId } = await administratorOf(app, "rising");
      const become = (role: string) => app.documents(ADMINISTRATOR).update({ documentId, data: { role } });
      await become("reader");
      const seen = await app.service(accounts).assertMayChange(await administratorOf(app, "manager"), documentId);
      await become("super");
      const code = app.service(passwordResets).codeFor(seen);
      const reset = await ask("POST", "/password/reset", PAGE, { code, password: "a password of its own" });
      expect(saysOf(reset)).to.deep.equal([403, "PLINTH_ADMIN_RESET_INVALID"]);

      await become("reader");
      const keep = async () => {
        const passkey = { account: documentId, credential: "x", publicKey: "x", counter: 0, name: "Key", site: "x" };
        await app.documents("plugin::admin.passkey").create({ data: passkey });
      };
      await app.service(secondFactors).add({ id, documentId }, "", keep);
      let answer: Promise<Answered> | undefined;
      await app.db.transaction(async () => {
        await app.db.lock(ROLES_LOCK);
        answer = ask("DELETE", `/accounts/${documentId}/second-factor`, headers);
        await sleep(400);
        await become("super");
      });
      expect(saysOf((await answer) as Answered)).to.deep.equal([403, "PLINTH_ADMIN_GRANTS_MORE"]);
      expect(await app.service(secondFactors).kindsOf({ documentId })).to.include("passkey");
      await app.documents(ADMINISTRATOR).delete({ documentId });
    });

    it("are not invited again by who may not take the invitation back that there is", async () => {
      const email = "chosen@example.com";
      const codeOf = ({ body }: Answered) => String(body.link).split("#")[1];
      const headers = await as("manager");
      const first = await ask("POST", "/invitations", await as("super"), { email, role: "super" });
      const again = await ask("POST", "/invitations", headers, { email, role: "editor" });
      expect(saysOf(again)).to.deep.equal([403, "PLINTH_ADMIN_GRANTS_MORE"]);
      const look = await ask("POST", "/invitations/look", PAGE, { code: codeOf(first) });
      expect(look.body).to.deep.equal({ email, role: "super" });
      const { data } = (await ask("GET", "/invitations", headers)).body;
      const open = data.filter((invitation: { email: string }) => invitation.email === email);
      expect(open.map(({ role }: { role: string }) => role)).to.deep.equal(["super"]);
      const replaced = await ask("POST", "/invitations", await as("super"), { email, role: "editor" });
      expect(replaced.status).to.equal(201);
      expect((await ask("POST", "/invitations", headers, { email, role: "author" })).status).to.equal(201);
      expect((await ask("POST", "/invitations/look", PAGE, { code: codeOf(replaced) })).status).to.equal(403);
    });
  });
});
