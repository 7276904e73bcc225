import { type AppDefinition, defineApp } from "@plinth/core";
import type { Grant } from "@plinth/core/access";
import { USER } from "#plugins/users-permissions/src/content-types.js";

const DRAFTS = { options: { draftAndPublish: true } };
const LOCALIZED = { pluginOptions: { i18n: { localized: true } } };

const to = (relation: string, target: string, side: object = {}) => ({ type: "relation", relation, target, ...side });

const type = (kind: "collectionType" | "singleType", name: string, attributes: object, more: object = {}) => ({
  kind,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  ...more,
  attributes: attributes as Record<string, Record<string, unknown>>,
});

const TALE = "api::tale.tale";
const PARTS = {
  part: { type: "component", component: "shared.part" },
  blocks: { type: "dynamiczone", components: ["shared.part"] },
};

/** Tales hang on a single type and on users; both have components with relations and files. */
export const depotApp: AppDefinition = defineApp({
  components: {
    "shared.part": {
      info: { displayName: "part" },
      attributes: {
        text: { type: "string" },
        tale: to("oneToOne", TALE),
        picture: { type: "media", multiple: false },
      },
    },
  },
  contentTypes: {
    [TALE]: type(
      "collectionType",
      "tale",
      {
        title: { type: "string", ...LOCALIZED },
        cover: { type: "media", multiple: false },
        gallery: { type: "media", multiple: true },
        home: to("manyToOne", "api::home.home", { inversedBy: "tales" }),
        owner: to("manyToOne", USER, { inversedBy: "tales" }),
        readers: to("manyToMany", USER, { inversedBy: "read" }),
        ...PARTS,
      },
      { ...DRAFTS, ...LOCALIZED },
    ),
    "api::home.home": type(
      "singleType",
      "home",
      {
        title: { type: "string" },
        cover: { type: "media", multiple: false },
        tales: to("oneToMany", TALE, { mappedBy: "home" }),
        ...PARTS,
      },
      DRAFTS,
    ),
  },
  register: ({ registry }) =>
    registry("content-type").extend(USER, (user) => ({
      ...user,
      attributes: {
        ...user.attributes,
        tales: to("oneToMany", TALE, { mappedBy: "owner" }),
        read: to("manyToMany", TALE, { mappedBy: "readers" }),
      },
    })),
});

const FILE = "plugin::upload.file";
const FOLDER = "plugin::upload.folder";
const READING = [
  "api::*.find",
  "api::*.findOne",
  "api::*.findDrafts",
  `${FILE}.find`,
  `${FOLDER}.find`,
  `${USER}.find`,
];
const NO_ROW = { where: { id: -1 } };
const CHANGES = ["update", "delete"];
const DRAFT_CHANGES = [...CHANGES, "publish", "unpublish", "discardDraft"];
const noRowOf = (uids: readonly string[], actions: readonly string[]) =>
  uids.flatMap((uid) => actions.map((action) => ({ action: `${uid}.${action}`, ...NO_ROW })));

/** Who may change nothing that is there: without a grant, or by rules that no row fulfils. */
export const idlers: Readonly<Record<string, Grant>> = {
  "reads only": READING,
  "adds and changes nothing": [
    ...READING,
    ...[`${FILE}.create`, "plugin::upload.content-api.upload", `${FOLDER}.create`, `${TALE}.create`],
  ],
  "changes no row": [
    ...READING,
    ...["plugin::upload.content-api.upload", "plugin::upload.content-api.destroy", `${USER}.destroy`],
    ...noRowOf([TALE, "api::home.home"], DRAFT_CHANGES),
    ...noRowOf([FILE, FOLDER, USER], CHANGES),
  ],
  "changes captions alone": [
    ...[...READING, "plugin::upload.content-api.upload", { action: `${FILE}.update`, fields: ["caption"] }],
  ],
};

/** Who may change homes, users and folders, and neither the tales nor the files that belong to them. */
export const neighbours: Readonly<Record<string, Grant>> = {
  "changes neither tales nor files": [
    ...READING,
    ...["api::home.home.*", `${USER}.*`, `${FOLDER}.*`, `${TALE}.create`, "plugin::upload.content-api.upload"],
  ],
  "changes no row of tales and files": [
    ...READING,
    ...["api::home.home.*", `${USER}.*`, `${FOLDER}.*`, `${TALE}.create`, "plugin::upload.content-api.upload"],
    ...noRowOf([TALE, FILE], ["update"]),
  ],
};

const LOOKING = [
  ...[
    "api::*.find",
    "api::*.findOne",
    `${USER}.find`,
    `${USER}.findOne`,
    `${USER}.count`,
    `${FILE}.find`,
    `${FOLDER}.find`,
  ],
  ...["find", "findOne", "findPage", "findUses"].map((action) => `plugin::upload.content-api.${action}`),
];

/** Who reads what is published, and no draft, or none that there is. */
export const lookers: Readonly<Record<string, Grant>> = {
  "reads no drafts": LOOKING,
  "reads drafts of no row": [
    ...LOOKING,
    ...[TALE, "api::home.home"].map((uid) => ({ action: `${uid}.findDrafts`, where: { title: "none" } })),
  ],
};
