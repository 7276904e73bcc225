import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import type { ImportReport } from "#plugins/import-strapi/src/run-import.js";
import { eitherDatabase } from "../../databases.js";
import { configuration, type Line, PIXEL, TOKEN, USER } from "./export-content.js";
import {
  BOOTSTRAPPED,
  emptyProject,
  importInto,
  readRows,
  uploadsOf,
  WEBHOOKS,
  whileServed,
} from "./import-project.js";
import { writeExport } from "./write-export.js";

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer; a wrong guess fails there
type Answer = any;

async function get(url: string, token: string = TOKEN.key): Promise<{ status: number; body: Answer }> {
  const response = await fetch(url, token ? { headers: { authorization: `Bearer ${token}` } } : {});
  return { status: response.status, body: await response.json() };
}

async function signIn(url: string): Promise<Answer> {
  const { identifier, password } = USER;
  const response = await fetch(`${url}/api/auth/local`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ identifier, password }),
  });
  return response.json();
}

const whats = ({ issues }: ImportReport) => issues.map(({ where, what }) => `${where}: ${what}`);

const webhook = (name: string, url: string, more: object): Line => ({ type: "webhook", value: { name, url, ...more } });

const hooks = [
  webhook("rebuild", "https://example.org/second", { enabled: false, events: ["media.create"] }),
  webhook("search", "https://example.org/search", {
    events: [],
    contentTypeEvents: { "api::tag.tag": ["entry.update"] },
  }),
  webhook("local", "http://127.0.0.1:4000", { events: ["entry.create"] }),
  webhook("stages", "https://example.org/stages", { events: ["review-workflows.updateEntryStage"] }),
];

describe("plinth import strapi", () => {
  eitherDatabase(import.meta.url, (database) => {
    let root = "";
    let report: ImportReport;
    const source = writeExport({ configuration: [...configuration, ...hooks] });

    before("import", async () => {
      root = emptyProject(database, []);
      report = await importInto(root, source);
    });

    it("writes the schemas that the app lacks, without what the other server added to them", () => {
      const schema = JSON.parse(readFileSync(join(root, "src/api/post/content-types/post/schema.json"), "utf8"));
      expect(report.schemas).to.have.lengthOf(5);
      expect(Object.keys(schema.attributes)).to.not.include.members(["createdAt", "createdBy", "locale"]);
      expect(schema.attributes.writer).to.not.have.property("inversedBy");
      expect(schema.attributes.color).to.deep.equal({
        type: "string",
        customField: "plugin::color-picker.color",
        options: { format: "hex" },
      });
      expect(schema.options).to.deep.equal({ draftAndPublish: true });
    });

    it("does not run the app's own bootstrap, which might write what an empty database begins with", () => {
      expect(existsSync(join(root, BOOTSTRAPPED))).to.equal(false);
    });

    it("makes webhooks endpoints that send what they did, and that get nothing of the import", () =>
      whileServed(root, async ({ plinth: { app } }) => {
        const webhooks = app.service("plugin::webhooks.webhooks");
        const endpoints = (await webhooks.list()).map(({ name, url, events, types, format, enabled, headers }) =>
          [name, url, events.join(" "), types?.join(" "), format, enabled, headers.join(" ")].join(", "),
        );
        expect(endpoints).to.have.members([
          "rebuild, https://example.org, entry.publish entry.unpublish, , strapi, true, authorization",
          "rebuild (2), https://example.org/second, media.create, , strapi, false, ",
          "search: api::tag.tag, https://example.org/search, entry.update, api::tag.tag, strapi, true, ",
        ]);
        const isBehind = async () =>
          (await app.service("plugin::events.events").consumers()).some(({ behind }) => behind > 0);
        while (await isBehind()) await sleep(20);
        expect(await webhooks.deliveries()).to.deep.equal([]);
        const { types } = report;
        expect(types.find(({ uid }) => uid === "plugin::webhooks.endpoint")).to.include({ entries: 4, written: 3 });
      }));

    it("keeps document ids, row ids, times and values of drafts and published versions", () =>
      whileServed(root, async ({ plinth }) => {
        const posts = plinth.app.documents("api::post.post");
        const draft = await posts.findOne({ documentId: "postone00000000000000000", status: "draft" });
        expect(draft).to.include({ id: 40, title: "First", views: "9007199254740993", publishedAt: null, price: 1.24 });
        expect(draft).to.include({ createdAt: "2025-03-04T05:06:07.089Z", note: "a text, not JSON of one" });
        const published = await posts.findOne({ documentId: "postone00000000000000000", status: "published" });
        expect(published).to.include({ id: 41, price: 1.2, updatedAt: "2025-06-07T08:09:10.111Z" });
      }));

    it("keeps every locale, and makes those that the app lacks", () =>
      whileServed(root, async ({ url, plinth }) => {
        expect(plinth.app.model.locales).to.have.members(["en", "de"]);
        const posts = plinth.app.documents("api::post.post");
        const german = await posts.findOne({
          documentId: "postone00000000000000000",
          locale: "de",
          status: "draft",
        });
        expect(german).to.include({ id: 42, title: "Erster" });
        const { body } = await get(`${url}/api/posts?locale=de`, "");
        expect(body.data).to.deep.equal([]);
      }));

    it("keeps relations in their order, from both sides", () =>
      whileServed(root, async ({ plinth }) => {
        const post: Answer = await plinth.app.documents("api::post.post").findOne({
          documentId: "postone00000000000000000",
          status: "draft",
          populate: { tags: true },
        });
        expect(post.tags.map(({ id }: Answer) => id)).to.deep.equal([12, 11]);
        const tag: Answer = await plinth.app.documents("api::tag.tag").findOne({
          documentId: "tagone000000000000000000",
          status: "draft",
          populate: { posts: true },
        });
        expect(tag.posts.map(({ id }: Answer) => id)).to.deep.equal([40, 43]);
      }));

    it("keeps components with their ids, relations and media", () =>
      whileServed(root, async ({ plinth }) => {
        const posts = plinth.app.documents("api::post.post");
        const populate = { zone: { populate: "*" }, links: { populate: "*" }, cover: true, writer: true };
        const documentId = "postone00000000000000000";
        const draft: Answer = await posts.findOne({ documentId, status: "draft", populate });
        expect(draft.zone.map(({ __component, id }: Answer) => [__component, id])).to.deep.equal([
          ["shared.quote", 70],
          ["shared.link", 71],
        ]);
        expect(draft.zone[1].tag).to.include({ id: 12, name: "Two" });
        const published: Answer = await posts.findOne({ documentId, status: "published", populate });
        expect(published.links[0].icon).to.include({ id: 8 });
        expect(published.cover).to.include({ id: 8, name: "Picture.png" });
        expect(published.writer).to.include({ id: 5 });
      }));

    it("stores the bytes of files, and serves them at the address that they had", () =>
      whileServed(root, async ({ url }) => {
        const response = await fetch(`${url}/uploads/picture_1a2b3c4d5e.png`);
        expect(Buffer.from(await response.arrayBuffer()).equals(PIXEL)).to.equal(true);
        expect(readdirSync(uploadsOf(root))).to.have.members([
          "picture_1a2b3c4d5e.png",
          "thumbnail_picture_1a2b3c4d5e.png",
        ]);
      }));

    it("lets users sign in with their passwords, and do what their role may", () =>
      whileServed(root, async ({ url }) => {
        const { jwt, user } = await signIn(url);
        expect(user).to.include({ id: 5, email: "ada@example.org" });
        const response = await fetch(`${url}/api/posts`, {
          method: "POST",
          headers: { authorization: `Bearer ${jwt}`, "content-type": "application/json" },
          body: JSON.stringify({ data: { title: "New" } }),
        });
        expect(response.status).to.equal(201);
        const { data } = (await response.json()) as Answer;
        expect(data.id).to.be.greaterThan(44);
        expect((await get(`${url}/api/posts`, "")).status).to.equal(200);
        expect((await get(`${url}/api/tags`, "")).status).to.equal(403);
      }));

    it("lets API tokens go on, with the salt of the other server", () =>
      whileServed(root, async ({ url }) => {
        expect((await get(`${url}/api/tags`)).status).to.equal(200);
        expect((await get(`${url}/api/site`)).status).to.equal(403);
      }));

    it("lists what cannot be carried, and why", () => {
      expect(whats(report)).to.include.members([
        "api::post.post#color: the custom field plugin::color-picker.color becomes a plain string, which keeps its name",
        "api::post.post#editor: the attribute is left out: there is no content-type admin::user",
        "api::post.post#price: a value is rounded: decimals have two digits after the point",
        "api::post.post#tags: links are left out: the export lacks their target",
        'api::post.post: entries in "fr" are left out: this app has no such locale',
        "api::site.site#slogan: values are left out: there is no such attribute here",
        "api::tag.tag#name: values are left out: they are unique, and another document has them",
        "api::tag.tag#weight: a value is left out: weight must be between -2147483648 and 2147483647",
        'plugin::content-releases.release: entries are left out: this app has no plugin "content-releases"',
        "plugin::upload.file: bytes are left out: they are not in the export. The file keeps its url",
        "plugin::users-permissions.permission: the action api::gone.gone.find is left out: it does not exist here",
        "webhook rebuild: its event releases.publish is left out: there is none here",
        "webhook local: it is left out: url must begin with https:",
        "webhook stages: it is left out: it names no event that there is here",
      ]);
    });

    it("writes nothing twice when it is run again", async () => {
      const before = await readRows(root);
      const again = await importInto(root, source);
      expect(again.schemas).to.deep.equal([]);
      expect(again.types.map(({ written }) => written)).to.satisfy((list: number[]) => list.every((n) => n === 0));
      expect(await readRows(root)).to.equal(before);
    });
  });

  it("changes nothing in a dry run, and lists the same", async () => {
    const root = emptyProject();
    const source = writeExport();
    const rehearsed = await importInto(root, source, true);
    expect(existsSync(join(root, ".plinth"))).to.equal(false);
    expect(existsSync(join(root, "src", "api"))).to.equal(false);
    const report = await importInto(root, source);
    const isKnownOnlyToApp = (what: string) => what.includes("api::gone.gone.find");
    expect(whats(rehearsed)).to.have.members(whats(report).filter((what) => !isKnownOnlyToApp(what)));
    expect(rehearsed.schemas).to.deep.equal(report.schemas);
  });

  it("does with the plugins that there are, and says what the others would have carried", async () => {
    const root = emptyProject(undefined, [...WEBHOOKS, "upload", "i18n", "users-permissions", "api-tokens"]);
    const report = await importInto(root, writeExport());
    expect(report.types.map(({ uid }) => uid)).to.have.members(["api::post.post", "api::tag.tag", "api::site.site"]);
    expect(whats(report)).to.include.members([
      "locale de: it is left out: enable the plugin i18n, or list it in config/i18n",
      "api::post.post#writer: the attribute is left out: there is no content-type plugin::users-permissions.user",
      'plugin::upload.file: entries are left out: this app has no plugin "upload"',
      "API tokens: they are left out: enable the plugin api-tokens",
      "webhook: webhooks are left out: enable the plugins webhooks, events and jobs, and import again",
    ]);
  });
});
