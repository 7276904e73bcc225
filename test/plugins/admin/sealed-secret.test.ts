import { expect } from "chai";
import { TOTP } from "otpauth";
import { eitherDatabase } from "../../databases.js";
import { startAdminApp } from "./serve-admin.js";
import { administratorOf, PASSWORD, signIn } from "./sign-in.js";

type Sent = Readonly<Record<string, string>>;
const PERIOD = 30_000;

/** The code of a secret. @param shift - intervals later */
const codeOf = (secret: string, shift = 0): string =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + shift * PERIOD });

eitherDatabase("postgres", (database) => {
  if (database.kind === "postgres")
    describe("the secret of an authenticator app", () => {
      it("is read by older secrets of the app, and said to be lost without them", async () => {
        const startWith = (...adminSecret: readonly string[]) =>
          startAdminApp(database, { pluginConfigs: { "api-tokens": { loginLimit: 1000, adminSecret } } });
        const [OLD, NEW] = ["the old secret of the tests", "the new secret of the tests"] as const;
        const first = await startWith(OLD);
        const headers = await signIn(first.plinth.app, "rotating");
        const askFirst = (method: string, path: string, more: Sent, body?: unknown) =>
          first.ask(method, `/admin/api${path}`, { ...headers, ...more }, body);
        const { confirmation } = (await askFirst("POST", "/account/confirm", {}, { password: PASSWORD })).body;
        const sure = { "x-plinth-confirmation": confirmation };
        const { secret, ticket } = (await askFirst("POST", "/account/totp", sure)).body;
        await askFirst("PUT", "/account/totp", sure, { ticket, code: codeOf(secret, -1) });
        const { email } = await administratorOf(first.plinth.app, "rotating");
        await first.plinth.stop();
        const loginWith = async (code: string, ...adminSecret: readonly string[]) => {
          const app = await startWith(...adminSecret);
          const answer = await app.ask("POST", "/admin/login", {}, { email, password: PASSWORD, code });
          await app.plinth.stop();
          return { ...answer, logged: app.logged.join("\n") };
        };
        const lost = await loginWith(codeOf(secret), NEW);
        expect(lost.status).to.equal(500);
        expect(lost.logged).to.include("PLINTH_ADMIN_SECOND_FACTOR_SEALED");
        expect((await loginWith(codeOf(secret), NEW, OLD)).status).to.equal(200);
        expect((await loginWith(codeOf(secret, 1), NEW)).status, "sealed with the new one by now").to.equal(200);
      });
    });
});
