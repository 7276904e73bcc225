import { administrators, apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { openApi, openApiPlugin } from "@plinth/plugin-openapi";
import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { type Answered, type AskOptions, PASSWORD, serveAuthApp } from "../users-permissions/auth-app.js";
import { readPromises } from "./promises.js";
import { operationsOf } from "./requests.js";

const NEW = "another-Passw0rd";
const ADMINISTRATOR = { email: "root@example.com", password: "correct horse battery" };

eitherDatabase(import.meta.url, (database) => {
  describe("What the OpenAPI document promises to those who sign in", () => {
    const served = serveAuthApp(database, {
      config: { jwtManagement: "refresh", emailConfirmation: { enabled: true } },
      setup: { plugins: [openApiPlugin, contentApiPlugin, apiTokensPlugin] },
      appConfig: { server: { host: "127.0.0.1", port: 0, url: "https://api.example.com" } },
    });

    /** Asks, expects a success, and that the answer is as promised. */
    async function promised(name: string, options: AskOptions & { readonly params?: string } = {}): Promise<Answered> {
      const document = served().plinth.app.service(openApi).document();
      const found = operationsOf(document).find(({ operation }) => operation.operationId === name);
      if (!found) throw new TypeError(`There is no operation "${name}" in the document.`);
      const { method, path, operation } = found;
      const { params = "", ...rest } = options;
      const answer = await served().ask(method, path.replace(/\{\w+\}$/, "") + params, rest);
      const [contentType = ""] = (answer.headers.get("content-type") ?? "").split(";");
      expect(readPromises(document).broken(operation, { ...answer, contentType })).to.equal(undefined);
      expect(answer.status, JSON.stringify(answer.body)).to.be.below(400);
      return answer;
    }

    async function latestLink(): Promise<URL> {
      const plugin = served().plinth.app.plugin("users-permissions");
      await plugin.service("auth").settle();
      return new URL(/https?:\S+/.exec(plugin.service("mailer").kept().at(-1)?.text ?? "")?.[0] ?? "");
    }

    it("holds from registering to the sessions on several devices", async () => {
      const email = "ada@example.com";
      const login = { body: { identifier: email, password: PASSWORD } };
      await promised("register", { body: { username: "ada", email, password: PASSWORD } });
      // Mails overtake each other: the first one is out before the second is asked for.
      await latestLink();
      await promised("sendEmailConfirmation", { body: { email } });
      await promised("confirmEmail", { params: (await latestLink()).search });
      const phone = await promised("login", login);
      const { body: laptop } = await promised("login", login);
      const { body: next } = await promised("refreshSession", { body: { refreshToken: laptop.refreshToken } });
      const token: string = next.jwt;
      expect((await promised("findMe", { token })).body).to.include({ username: "ada", email });
      const { body: sessions } = await promised("findSessions", { token });
      expect(sessions.data).to.have.length(2);
      const other = sessions.data.find(({ current }: { current: boolean }) => !current);
      await promised("endSession", { token, params: other.id });
      expect((await served().ask("GET", "/api/users/me", { token: phone.body.jwt })).status).to.equal(401);
      await promised("logout", { token, body: { scope: "all" } });
    });

    it("holds for passwords that are changed and forgotten", async () => {
      const email = "grace@example.com";
      await promised("register", { body: { username: "grace", email, password: PASSWORD } });
      await promised("confirmEmail", { params: (await latestLink()).search });
      const { body: first } = await promised("login", { body: { identifier: "grace", password: PASSWORD } });
      const changed = { currentPassword: PASSWORD, password: NEW, passwordConfirmation: NEW };
      await promised("changePassword", { token: first.jwt, body: changed });
      await promised("forgotPassword", { body: { email } });
      const code = (await latestLink()).searchParams.get("code");
      await promised("resetPassword", { body: { code, password: PASSWORD, passwordConfirmation: PASSWORD } });
    });

    it("holds for administrators", async () => {
      const { email, password } = ADMINISTRATOR;
      await served().plinth.app.service(administrators).create(email, password);
      const { body } = await promised("postAdminLogin", { body: ADMINISTRATOR });
      expect((await promised("getAdminApiTokens", { token: body.token })).body.data).to.deep.equal([]);
    });
  });
});
