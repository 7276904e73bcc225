import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { writeProject } from "../../projects.js";
import { describeSettings } from "#plugins/import-strapi/src/convert/settings.js";
import { parseConfig } from "#plugins/users-permissions/src/config.js";
import { parseConfig as parseUploadConfig } from "#plugins/upload/src/config.js";
import { entities, schemas, typeLine } from "./export-content.js";
import { emptyProject, importInto, whileServed } from "./import-project.js";
import { writeExport } from "./write-export.js";

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer; a wrong guess fails there
type Answer = any;

const USER_TYPE = "plugin::users-permissions.user";
const EXTENSION = "src/extensions/users-permissions/content-types/user/schema.json";
const phone = { type: "string", maxLength: 30 };
const posts = { type: "relation", relation: "oneToMany", target: "api::post.post", mappedBy: "writer" };
const own = { username: { type: "string" }, email: { type: "email" }, password: { type: "password" } };
const userLine = typeLine(USER_TYPE, { ...own, phone, posts, boss: { type: "relation", target: "admin::user" } });

describe("what an app added to users", () => {
  it("comes along: attributes as an extension of the type, with their values and relations", async () => {
    const withPhone = entities.map((line) =>
      line["type"] === USER_TYPE ? { ...line, data: { ...(line["data"] as object), phone: "+44 20 7946 0000" } } : line,
    );
    const source = writeExport({ schemas: [...schemas, userLine], entities: withPhone });
    const root = emptyProject();
    const report = await importInto(root, source);
    expect(report.schemas).to.include(EXTENSION);
    expect(JSON.parse(readFileSync(join(root, EXTENSION), "utf8"))).to.deep.equal({ attributes: { phone, posts } });
    expect(report.issues.map(({ where }) => where)).to.include(`${USER_TYPE}#boss`);
    await whileServed(root, async ({ plinth }) => {
      const [ada]: Answer = await plinth.app.documents(USER_TYPE).findMany({
        status: "published",
        populate: { posts: true },
      });
      expect(ada).to.include({ id: 5, phone: "+44 20 7946 0000" });
      expect(ada.posts.map(({ title }: Answer) => title)).to.include("First");
    });
    expect((await importInto(root, source)).schemas).to.deep.equal([]);
  });

  it("is read from the folder of an app as well", async () => {
    const folder = writeProject({
      "src/api/.gitkeep": "",
      [EXTENSION]: JSON.stringify({ kind: "collectionType", attributes: { ...own, phone } }),
    });
    const report = await importInto(emptyProject(), folder, true);
    expect(report.schemas).to.deep.equal([EXTENSION]);
  });
});

describe("an attribute of an export", () => {
  it("keeps its label, and the report names each timestamp, which clients get in another form", async () => {
    const line = typeLine("api::talk.talk", {
      at: { type: "timestamp" },
      title: { type: "string", displayName: "Title of the talk" },
    });
    const root = emptyProject();
    const { issues } = await importInto(root, writeExport({ schemas: [...schemas, line] }));
    const schema = JSON.parse(readFileSync(join(root, "src/api/talk/content-types/talk/schema.json"), "utf8"));
    expect(schema.attributes.title).to.deep.equal({ type: "string", displayName: "Title of the talk" });
    expect(issues.find(({ where }) => where === "api::talk.talk#at")?.what).to.contain("ISO 8601");
  });
});

describe("roles and locales that both apps have", () => {
  it("get the document ids and times of the export, locales their names, and people keep their roles", async () => {
    const root = emptyProject();
    await importInto(root, writeExport());
    await whileServed(root, async ({ plinth }) => {
      const { app } = plinth;
      const roles: Answer = await app.documents("plugin::users-permissions.role").findMany({ populate: "*" });
      const ids = Object.fromEntries(roles.map(({ type, documentId }: Answer) => [type, documentId]));
      expect(ids).to.include({ public: "rolepublic00000000000000", authenticated: "roleauthenticated0000000" });
      const everybody = roles.find(({ type }: Answer) => type === "public");
      expect(everybody).to.include({ createdAt: "2025-03-04T05:06:07.089Z", publishedAt: "2025-03-04T05:06:07.089Z" });
      expect(everybody.permissions.map(({ action }: Answer) => action)).to.include("api::post.post.find");
      const locales: Answer = await app.documents("plugin::i18n.locale").findMany({ sort: "code" });
      expect(locales.map(({ documentId, name }: Answer) => [documentId, name])).to.deep.equal([
        ["localede0000000000000000", "Deutsch"],
        ["localeen0000000000000000", "English (en)"],
      ]);
    });
  });
});

describe("settings of an export", () => {
  const setting = (key: string, value: object) => ({ type: "core-store", value: { key, value } });

  it("are given as configuration that the plugins take", () => {
    const message = "<p>Hello <%= USER.username %></p><p><%= URL %>?code=<%= TOKEN %></p>";
    const options = { from: { name: "Us", email: "us@example.com" }, object: "New password", message };
    const config = describeSettings([
      setting("plugin_users-permissions_advanced", {
        allow_register: false,
        email_confirmation: true,
        email_confirmation_redirection: "https://example.com/welcome",
        email_reset_password: "https://example.com/reset",
        default_role: "writers",
      }),
      setting("plugin_users-permissions_email", { reset_password: { options } }),
      setting("plugin_upload_settings", { responsiveDimensions: false }),
    ]);
    const users = parseConfig(config["users-permissions"]);
    expect(users).to.deep.include({ defaultRole: "writers" });
    expect(users.register.enabled).to.equal(false);
    expect(users.emailConfirmation).to.include({ enabled: true, redirectTo: "https://example.com/welcome" });
    expect(users.resetPassword.url).to.equal("https://example.com/reset");
    expect(users.mail.from).to.equal("Us <us@example.com>");
    expect(users.mail.templates["resetPassword"]).to.deep.equal({
      subject: "New password",
      text: "Hello {{ username }}\n{{ link }}",
      html: "<p>Hello {{ username }}</p><p>{{ link }}</p>",
    });
    expect(parseUploadConfig(config["upload"]).images.breakpoints).to.deep.equal({});
    expect(describeSettings([])).to.deep.equal({});
  });
});
