import { defineApp } from "@plinth/core";
import { expect } from "chai";
import { USER } from "#plugins/users-permissions/src/content-types.js";
import { eitherDatabase } from "../../databases.js";
import { ADMIN, PASSWORD, serveAuthApp } from "./auth-app.js";

const app = defineApp({
  register: ({ registry }) =>
    registry("content-type").extend(USER, (user) => ({
      ...user,
      attributes: { ...user.attributes, displayName: { type: "string" }, note: { type: "string", private: true } },
    })),
});

eitherDatabase(import.meta.url, (database) => {
  describe("users with attributes of the app's own", () => {
    const served = serveAuthApp(database, {
      setup: { plugins: [], app },
      config: { register: { allowedFields: ["displayName"] } },
      appConfig: { access: { public: "all", tokens: { [ADMIN]: "all" } } },
    });
    const body = { username: "extended", email: "extended@example.com", password: PASSWORD };

    it("say what they may of them when they register, and no more", async () => {
      const refused = await served().post("/api/auth/local/register", { ...body, note: "x" });
      expect([refused.status, refused.body.error.message]).to.deep.equal([400, "Invalid parameters: note"]);
      const made = await served().post("/api/auth/local/register", { ...body, displayName: "Ada" });
      expect(made.body.user).to.include({ displayName: "Ada" }).and.not.to.have.any.keys("note");
    });

    it("are found and changed by them, private ones apart", async () => {
      const { body: found } = await served().ask("GET", "/api/users?filters[displayName]=Ada", { token: ADMIN });
      const options = { token: ADMIN, body: { displayName: "Grace", note: "kept" } };
      const { body: changed } = await served().ask("PUT", `/api/users/${found[0].id}`, options);
      expect(changed).to.include({ displayName: "Grace" }).and.not.to.have.any.keys("note");
      const stored = await served()
        .plinth.app.documents(USER)
        .findOne({ documentId: found[0].documentId, withPrivate: true });
      expect(stored?.["note"]).to.equal("kept");
    });

    it("are not opened by access.public: the role public decides, and the log says so", async () => {
      expect((await served().ask("GET", "/api/users")).status).to.equal(403);
      expect(served().log.join()).to.include("access.public has no effect");
    });
  });
});
