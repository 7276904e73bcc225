import type { AppDefinition } from "@plinth/core";
import type { Grant } from "@plinth/core/access";

const LOCALIZED = { pluginOptions: { i18n: { localized: true } } };

const type = (name: string, attributes: object, more: object = {}) => ({
  kind: "collectionType" as const,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  ...more,
  attributes: attributes as Record<string, Record<string, unknown>>,
});

const to = (relation: string, name: string, sides: object = {}) => ({
  type: "relation",
  relation,
  target: `api::${name}.${name}`,
  ...sides,
});

const SECRETS = { diary: { type: "string", private: true }, pin: { type: "password" } };
const component = (category: string, attributes: object) => ({
  info: { displayName: category },
  attributes: attributes as Record<string, Record<string, unknown>>,
});

/** Notes and people, parts of which nobody but an administrator sees, and dossiers, which nobody may find. */
export const vaultTypes: Pick<AppDefinition, "contentTypes" | "components"> = {
  contentTypes: {
    "api::note.note": type(
      "note",
      {
        title: { type: "string", ...LOCALIZED },
        rank: { type: "integer" },
        ...SECRETS,
        owner: to("manyToOne", "person", { inversedBy: "notes" }),
        people: to("manyToMany", "person", { inversedBy: "mentions" }),
        dossier: to("oneToOne", "dossier"),
        detail: { type: "component", component: "shared.detail" },
        details: { type: "component", component: "shared.detail", repeatable: true },
        blocks: { type: "dynamiczone", components: ["shared.detail", "shared.outer"] },
      },
      { options: { draftAndPublish: true }, ...LOCALIZED },
    ),
    "api::person.person": type("person", {
      name: { type: "string" },
      email: { type: "string" },
      rank: { type: "integer" },
      ...SECRETS,
      dossier: to("oneToOne", "dossier"),
      notes: to("oneToMany", "note", { mappedBy: "owner" }),
      mentions: to("manyToMany", "note", { mappedBy: "people" }),
    }),
    "api::dossier.dossier": type("dossier", { name: { type: "string" } }),
  },
  components: {
    "shared.detail": component("detail", {
      text: { type: "string" },
      ...SECRETS,
      person: to("oneToOne", "person"),
      dossier: to("oneToOne", "dossier"),
    }),
    "shared.outer": component("outer", {
      label: { type: "string" },
      inner: { type: "component", component: "shared.detail" },
    }),
  },
};

const NOTE_FIELDS = ["title", "owner", "people", "dossier", "detail", "details", "blocks", "localizations"];
const SHOWN_NOTES = { where: { rank: { $lt: 10 } }, fields: NOTE_FIELDS };

const visiting: Exclude<Grant, string> = [
  "plugin::events.event.find",
  "api::note.note.findVersions",
  { action: "api::note.note.find", ...SHOWN_NOTES },
  { action: "api::note.note.findOne", ...SHOWN_NOTES },
  { action: "api::note.note.create", fields: NOTE_FIELDS },
  { action: "api::note.note.update", ...SHOWN_NOTES },
  {
    action: "api::person.person.find",
    where: { rank: { $lt: 10 } },
    fields: ["name", "notes", "mentions", "dossier"],
  },
];

/** Sees notes and people of low rank, without rank and e-mail address; changes notes. */
export const visitor: Grant = visiting;

const onShown = (name: string) => ({ action: `api::note.note.${name}`, where: SHOWN_NOTES.where });

/** Sees what the visitor sees; plans, releases and restores it. */
export const planner: Grant = [
  ...visiting,
  ...["restoreVersion", "publish", "unpublish"].map(onShown),
  "plugin::schedule.*",
];

const PUBLISHED_ENGLISH = { where: { publishedAt: { $notNull: true }, locale: "en" } };

/** Sees what is published in English. */
export const reader: Grant = [
  "plugin::events.event.find",
  "api::note.note.findVersions",
  { action: "api::note.note.find", ...PUBLISHED_ENGLISH },
  { action: "api::note.note.findOne", ...PUBLISHED_ENGLISH },
  "api::person.person.find",
];
