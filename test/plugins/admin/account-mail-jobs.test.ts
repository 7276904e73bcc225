import { jobsPlugin } from "@plinth/plugin-jobs";
import { expect } from "chai";
import { type Forgot, passwordResets } from "#plugins/admin/src/accounts/password-resets.js";
import { adminPlugin } from "@plinth/plugin-admin";
import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { usersPermissionsPlugin } from "@plinth/plugin-users-permissions";
import { eitherDatabase } from "../../databases.js";
import { serveAdmin } from "./serve-admin.js";
import { administratorOf, PASSWORD, signIn } from "./sign-in.js";

eitherDatabase(import.meta.url, (database) => {
  describe("mails about accounts, where there are jobs", () => {
    const served = serveAdmin(database, {
      plugins: [contentApiPlugin, apiTokensPlugin, jobsPlugin, usersPermissionsPlugin, adminPlugin],
      pluginConfigs: {
        ...{ "api-tokens": { loginLimit: 1000 }, jobs: { work: false } },
        "users-permissions": { jwtSecret: "a secret that only the tests of the page know" },
      },
    });
    const take = () =>
      served().plinth.app.db.query<{ name: string; data: Forgot }>({
        text: "delete from plinth_jobs where name !~ '^plinth:|expired' returning name, data",
        values: [],
      });
    const namesOf = (taken: readonly { readonly name: string }[]) => taken.map(({ name }) => name);

    it("are in the transaction of what was done with an account: where they cannot be, nothing was done", async () => {
      const { db } = served().plinth.app;
      const headers = await signIn(served().plinth.app, "changing");
      await take();
      const put = async (place: string, body: object) =>
        (await served().ask("PUT", `/admin/api/account/${place}`, headers, body)).status;
      const password = { old: PASSWORD, password: "another good one" };
      const email = { email: "changed@example.com", password: PASSWORD };
      const full = "alter table plinth_jobs add constraint full_up check (name <> 'users-permissions:mail')";
      await db.query({ text: full, values: [] });
      expect([await put("password", password), await put("email", email)]).to.deep.equal([500, 500]);
      await db.query({ text: "alter table plinth_jobs drop constraint full_up", values: [] });
      expect([await put("email", email), await put("password", password)]).to.deep.equal([200, 204]);
      expect(namesOf(await take())).to.deep.equal(Array.from({ length: 3 }, () => "users-permissions:mail"));
    });

    it("of forgotten passwords are asked for before the answer, alike for every address, and written for known ones", async () => {
      const { app } = served().plinth;
      await administratorOf(app, "forgetful");
      await take();
      const found: string[][] = [];
      for (const address of ["forgetful@example.com", "forgotten@example.com"]) {
        const headers = { "sec-fetch-site": "same-origin" };
        await served().ask("POST", "/admin/api/password/forgot", headers, { email: address });
        const requested = await take();
        expect(JSON.stringify(requested)).to.not.include(address);
        expect(namesOf(requested)).to.deep.equal(["admin:forgotten-password"]);
        for (const { data } of requested) await app.service(passwordResets).mail(data);
        found.push(namesOf(await take()));
      }
      expect(found).to.deep.equal([["users-permissions:mail"], []]);
    });
  });
});
