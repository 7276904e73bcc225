import { expect } from "chai";
import loaded from "strapi-sdk-js";
import { eitherDatabase } from "../databases.js";
import { PICTURE, serveSampleApp } from "./serve-sample-app.js";

/** Its types are those of its CommonJS half: in an ES module the default is the class itself. */
const Strapi = loaded as unknown as typeof loaded.default;

interface Article {
  readonly documentId: string;
  readonly title: string;
  readonly author?: { readonly name: string } | null;
  readonly cover?: { readonly name: string } | null;
}

const USER = { username: "joan", email: "joan@example.org", password: "Passw0rd-1" };

eitherDatabase(import.meta.url, (database) => {
  describe("strapi-sdk-js drives the sample app", () => {
    const served = serveSampleApp(database);
    let sdk: InstanceType<typeof Strapi>;

    before("be a browser, and make a client", () => {
      const kept = new Map<string, string>();
      const localStorage = {
        getItem: (key: string) => kept.get(key) ?? null,
        setItem: (key: string, value: string) => kept.set(key, value),
        removeItem: (key: string) => kept.delete(key),
      };
      Object.assign(globalThis, { window: { localStorage } });
      sdk = new Strapi({ url: served().url, store: { key: "jwt", useLocalStorage: true, cookieOptions: {} } });
    });

    after("be no browser again", () => {
      Reflect.deleteProperty(globalThis, "window");
    });

    it("lists with filters, sort, fields, populate and pages", async () => {
      const { data, meta } = await sdk.find<Article>("articles", {
        filters: { author: { name: { $startsWith: "Ada" } }, readingMinutes: { $gte: 10 } },
        populate: { author: { fields: ["name"] } },
        fields: ["title"],
      });
      expect(data.map(({ title }) => title)).to.deep.equal(["Notes on the Analytical Engine"]);
      expect(data[0]?.author).to.include({ name: "Ada Lovelace" });
      expect(meta).to.have.nested.property("pagination.total", 1);
      const second = await sdk.find<Article>("articles", { sort: "title:asc", pagination: { page: 2, pageSize: 1 } });
      expect(second.data.map(({ title }) => title)).to.deep.equal(["Notes on the Analytical Engine"]);
      const { documentId = "" } = data[0] ?? {};
      expect((await sdk.findOne<Article>("articles", documentId, { populate: "*" })).data).to.include({ documentId });
    });

    it("registers, signs in, changes a password and knows who that is", async () => {
      const registered = await sdk.register(USER);
      expect(registered.user).to.include({ username: "joan" });
      sdk.logout();
      expect(sdk.getToken()).to.equal(null);
      expect(await sdk.fetchUser()).to.equal(null);
      await sdk.login({ identifier: USER.username, password: USER.password });
      expect(await sdk.fetchUser()).to.include({ email: USER.email });
      const password = "another-Passw0rd";
      await sdk.changePassword({ currentPassword: USER.password, password, passwordConfirmation: password });
      expect(await sdk.fetchUser()).to.include({ username: "joan" });
    });

    it("creates, changes and deletes as who is signed in", async () => {
      const created = await sdk.create<Article>("articles", { title: "By Joan" });
      const { documentId } = created.data;
      const updated = await sdk.update<Article>("articles", documentId, { title: "Changed" });
      expect(updated.data).to.include({ documentId, title: "Changed" });
      await sdk.delete("articles", documentId);
      const gone = await sdk.findOne("articles", documentId).catch((error: unknown) => error);
      expect(gone).to.have.nested.property("error.status", 404);
    });

    it("sends a file, and an article with it", async () => {
      const form = new FormData();
      form.append("files", new Blob([new Uint8Array(PICTURE)], { type: "image/png" }), "dot.png");
      // Outside of browsers its axios takes no FormData, but what that is on the wire.
      const wire = new Response(form);
      const headers = { "content-type": wire.headers.get("content-type") ?? "" };
      const data = Buffer.from(await wire.arrayBuffer());
      const [file] = await sdk.request<{ id: number }[]>("post", "/upload", { data, headers });
      const created = await sdk.create<Article>(
        "articles",
        { title: "Pictured", cover: file?.id },
        { populate: "cover" },
      );
      expect(created.data.cover).to.include({ name: "dot.png" });
    });

    it("gives errors as the server tells them", async () => {
      const wrong = await sdk.create("articles", { readingMinutes: 0 }).catch((error: unknown) => error);
      expect(wrong).to.have.nested.property("error.name", "ValidationError");
      const refused = await sdk.create("authors", { name: "Joan" }).catch((error: unknown) => error);
      expect(refused).to.have.nested.property("error.status", 403);
    });
  });
});
