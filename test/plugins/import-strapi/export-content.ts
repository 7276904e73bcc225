import { createHmac } from "node:crypto";

/** A line of an export. */
export type Line = Readonly<Record<string, unknown>>;

const AT = "2025-03-04T05:06:07.089Z";
const LATER = "2025-06-07T08:09:10.111Z";
/** What the API token of the export is for clients, and the salt of the server that made it. */
export const TOKEN = { key: "f".repeat(64), salt: "salt-of-the-old-server" } as const;
/** The user of the export. */
export const USER = {
  identifier: "Ada@Example.org",
  password: "analytical engine",
  hash: "$2b$04$ybLLNzGH41VyNVrJuluCQ.DYfPjulisvZyd3K1oI8AZSZzyQgMY1u",
} as const;

const localized = { pluginOptions: { i18n: { localized: true } } };
const system = {
  createdAt: { type: "datetime" },
  updatedAt: { type: "datetime" },
  publishedAt: { type: "datetime", configurable: false, writable: true, visible: false },
  createdBy: { type: "relation", relation: "oneToOne", target: "admin::user", useJoinTable: false, private: true },
  locale: { type: "string", writable: true, private: false, configurable: false, visible: false },
};

/** A content-type as exports describe it. */
export function typeLine(uid: string, attributes: object, more: object = {}): Line {
  const name = uid.split(".")[1] ?? "";
  return {
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options: { draftAndPublish: false },
    kind: "collectionType",
    modelType: "contentType",
    modelName: name,
    uid,
    attributes: { ...attributes, ...system },
    ...more,
  };
}

function componentLine(uid: string, attributes: object): Line {
  const info = { displayName: uid, icon: "star" };
  return { collectionName: `components_${uid.replace(".", "_")}`, info, modelType: "component", uid, attributes };
}

export const schemas: readonly Line[] = [
  typeLine(
    "api::post.post",
    {
      title: { type: "string", required: true, ...localized },
      slug: { type: "uid", targetField: "title" },
      views: { type: "biginteger" },
      price: { type: "decimal" },
      note: { type: "json", ...localized },
      color: { type: "string", customField: "plugin::color-picker.color", options: { format: "hex" } },
      tags: { type: "relation", relation: "manyToMany", target: "api::tag.tag", inversedBy: "posts" },
      writer: {
        type: "relation",
        relation: "manyToOne",
        target: "plugin::users-permissions.user",
        inversedBy: "posts",
      },
      editor: { type: "relation", relation: "oneToOne", target: "admin::user" },
      cover: { type: "media", multiple: false, allowedTypes: ["images"] },
      links: { type: "component", component: "shared.link", repeatable: true, ...localized },
      zone: { type: "dynamiczone", components: ["shared.link", "shared.quote"], ...localized },
    },
    { options: { draftAndPublish: true, comment: "" }, pluginOptions: { i18n: { localized: true } } },
  ),
  typeLine("api::tag.tag", {
    name: { type: "string", unique: true },
    weight: { type: "integer" },
    posts: { type: "relation", relation: "manyToMany", target: "api::post.post", mappedBy: "tags" },
  }),
  typeLine("api::site.site", { name: { type: "string" } }, { kind: "singleType" }),
  componentLine("shared.link", {
    label: { type: "string", maxLength: 40 },
    tag: { type: "relation", relation: "oneToOne", target: "api::tag.tag" },
    icon: { type: "media", multiple: false },
  }),
  typeLine("admin::permission", { action: { type: "string" } }),
  componentLine("shared.quote", { text: { type: "text" } }),
];

const entry = (type: string, id: number, documentId: string, data: object): Line => ({
  type,
  id,
  data: { documentId, createdAt: AT, updatedAt: AT, publishedAt: AT, locale: null, ...data },
});

const post = (id: number, documentId: string, data: object): Line =>
  entry("api::post.post", id, documentId, { locale: "en", slug: null, links: [], zone: [], ...data });

const photo = (hash: string, more: object = {}) => ({ ext: ".png", hash, mime: "image/png", size: 0.07, ...more });

const people: readonly Line[] = [
  entry("plugin::users-permissions.role", 1, "roleauthenticated0000000", {
    name: "Authenticated",
    type: "authenticated",
  }),
  entry("plugin::users-permissions.role", 2, "rolepublic00000000000000", { name: "Public", type: "public" }),
  entry("plugin::users-permissions.role", 7, "rolewriters0000000000000", { name: "Writers", type: "writers" }),
  entry("plugin::users-permissions.permission", 31, "permpublicpost0000000000", { action: "api::post.post.find" }),
  entry("plugin::users-permissions.permission", 32, "permwriterscreate0000000", { action: "api::post.post.create" }),
  entry("plugin::users-permissions.permission", 33, "permwritersgone000000000", { action: "api::gone.gone.find" }),
  entry("plugin::users-permissions.user", 5, "userada00000000000000000", {
    username: "ada",
    email: USER.identifier,
    provider: "local",
    password: USER.hash,
    resetPasswordToken: "sent-by-mail-before",
    confirmed: true,
    blocked: false,
  }),
  entry("admin::api-token", 3, "token0000000000000000000", {
    name: "website",
    type: "custom",
    accessKey: createHmac("sha512", TOKEN.salt).update(TOKEN.key).digest("hex"),
    encryptedKey: null,
    lifespan: null,
  }),
  entry("admin::api-token-permission", 4, "tokenpermission000000000", { action: "api::tag.tag.find" }),
];

/** Rows, each problem of which is one that the import tells of. */
export const entities: readonly Line[] = [
  entry("plugin::i18n.locale", 1, "localeen0000000000000000", { code: "en", name: "English (en)" }),
  entry("plugin::i18n.locale", 2, "localede0000000000000000", { code: "de", name: "Deutsch" }),
  entry("plugin::upload.folder", 6, "folder000000000000000000", { name: "Pictures", pathId: 1, path: "/1" }),
  entry("plugin::upload.file", 8, "filepicture0000000000000", {
    name: "Picture.png",
    ...photo("picture_1a2b3c4d5e", { url: "/uploads/picture_1a2b3c4d5e.png" }),
    width: 1,
    height: 1,
    formats: { thumbnail: photo("thumbnail_picture_1a2b3c4d5e", { url: "/uploads/thumbnail_picture_1a2b3c4d5e.png" }) },
    provider: "local",
    folderPath: "/1",
  }),
  entry("plugin::upload.file", 9, "filelost0000000000000000", {
    name: "Lost.png",
    ...photo("lost_0000000000", { url: "https://cdn.example.org/lost.png" }),
    provider: "cdn",
  }),
  ...people,
  entry("api::tag.tag", 11, "tagone000000000000000000", { name: "One", weight: 1 }),
  entry("api::tag.tag", 12, "tagtwo000000000000000000", { name: "Two", weight: 4_000_000_000 }),
  entry("api::tag.tag", 13, "tagtwoagain0000000000000", { name: "Two" }),
  entry("api::site.site", 1, "site00000000000000000000", { name: "Old site", slogan: "of another schema" }),
  post(40, "postone00000000000000000", {
    title: "First",
    slug: "first",
    views: "9007199254740993",
    price: 1.239,
    note: "a text, not JSON of one",
    color: "#aabbcc",
    links: [{ id: 70, label: "Here" }],
    zone: [
      { __component: "shared.quote", id: 70, text: "To be" },
      { __component: "shared.link", id: 71, label: "There" },
    ],
    publishedAt: null,
  }),
  post(41, "postone00000000000000000", {
    title: "First",
    slug: "first",
    views: "9007199254740993",
    price: 1.2,
    links: [{ id: 72, label: "Here" }],
    updatedAt: LATER,
  }),
  post(42, "postone00000000000000000", { title: "Erster", locale: "de", publishedAt: null }),
  post(43, "posttwo00000000000000000", { title: "Second, a draft", slug: "second", publishedAt: null }),
  post(44, "postthree000000000000000", { title: "Troisième", locale: "fr" }),
  entry("plugin::content-releases.release", 1, "release00000000000000000", { name: "Spring" }),
];

const link = (left: object, right: object, relation = "manyToMany"): Line => ({
  kind: "relation.basic",
  relation,
  left,
  right,
});
const ofPost = (ref: number, field: string, pos?: number) => ({
  type: "api::post.post",
  ref,
  field,
  ...(pos ? { pos } : {}),
});
const tag = (ref: number, pos: number) => ({ type: "api::tag.tag", field: "posts", ref, pos });
const media = (file: number, right: object): Line => ({
  kind: "relation.morph",
  relation: "morphToMany",
  left: { type: "plugin::upload.file", field: "related", ref: file },
  right,
});
const role = (ref: number) => ({ type: "plugin::users-permissions.role", field: "permissions", ref, pos: 1 });
const permission = (ref: number) => ({ type: "plugin::users-permissions.permission", field: "role", ref });

export const links: readonly Line[] = [
  link(ofPost(40, "tags", 2), tag(11, 1)),
  link(ofPost(40, "tags", 1), tag(12, 1)),
  link(ofPost(41, "tags", 1), tag(11, 2)),
  link(ofPost(43, "tags", 1), tag(11, 3)),
  link(ofPost(43, "tags", 2), tag(99, 1)),
  link(ofPost(41, "writer"), { type: "plugin::users-permissions.user", field: "posts", ref: 5, pos: 1 }, "manyToOne"),
  link({ type: "shared.link", field: "tag", ref: 71 }, { type: "api::tag.tag", ref: 12 }, "oneToOne"),
  media(8, { type: "api::post.post", field: "cover", ref: 41, pos: 1 }),
  media(8, { type: "shared.link", field: "icon", ref: 72, pos: 1 }),
  link(
    { type: "plugin::upload.file", field: "folder", ref: 8 },
    { type: "plugin::upload.folder", field: "files", ref: 6, pos: 1 },
    "manyToOne",
  ),
  link(permission(31), role(2), "manyToOne"),
  link(permission(32), role(7), "manyToOne"),
  link(permission(33), role(7), "manyToOne"),
  link(
    { type: "plugin::users-permissions.user", field: "role", ref: 5 },
    { type: "plugin::users-permissions.role", field: "users", ref: 7, pos: 1 },
    "manyToOne",
  ),
  link(
    { type: "admin::api-token-permission", field: "token", ref: 4 },
    { type: "admin::api-token", field: "permissions", ref: 3, pos: 1 },
    "manyToOne",
  ),
  {
    kind: "relation.circular",
    relation: "oneToMany",
    left: { type: "api::post.post", ref: 40, field: "localizations" },
    right: { type: "api::post.post", ref: "postone00000000000000000" },
  },
];

export const configuration: readonly Line[] = [
  { type: "core-store", value: { key: "plugin_i18n_default_locale", value: "en", type: "string" } },
  { type: "core-store", value: { key: "plugin_users-permissions_advanced", value: { allow_register: true } } },
  {
    type: "webhook",
    value: {
      ...{
        id: 1,
        name: "rebuild",
        url: "https://example.org",
        enabled: true,
        headers: { authorization: "Bearer hook" },
      },
      events: ["entry.publish", "entry.unpublish", "releases.publish"],
    },
  },
];

/** A picture of one pixel. */
export const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
