// A check on the admin page looks at private attributes as well.
import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { serveAdmin } from "./serve-admin.js";
import { signIn } from "./sign-in.js";

const PART = "api::part.part";

const part = {
  kind: "collectionType" as const,
  info: { singularName: "part", pluralName: "parts", displayName: "Part" },
  options: { draftAndPublish: true },
  attributes: {
    title: { type: "string", required: true },
    serial: { type: "string", private: true, unique: true },
  },
};

eitherDatabase(import.meta.url, (database) => {
  describe("a check of the admin page, where a unique attribute is private", () => {
    const served = serveAdmin(database, { app: { contentTypes: { [PART]: part } } });

    it("says that its value is taken", async () => {
      const { plinth, ask } = served();
      await plinth.app.documents(PART).create({ data: { title: "Wheel", serial: "S1" }, status: "published" });
      const headers = await signIn(plinth.app, "super");
      const path = `/admin/api/content/${PART}/check?mode=publish`;
      const { body } = await ask("POST", path, headers, { documentId: null, data: { serial: "S1" } });
      const paths = body.errors.map((error: { readonly path: readonly string[] }) => error.path.join("."));
      expect(paths).to.deep.equal(["title", "serial"]);
    });
  });
});
