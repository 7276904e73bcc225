import type { AppDefinition } from "@plinth/core";
import type { Grant } from "@plinth/core/access";

const LOCALIZED = { pluginOptions: { i18n: { localized: true } } };
const DRAFTS = { options: { draftAndPublish: true } };

const type = (name: string, attributes: object, more: object = {}) => ({
  kind: "collectionType" as const,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  ...more,
  attributes: attributes as Record<string, Record<string, unknown>>,
});

const to = (relation: string, name: string, side: object) => ({
  ...{ type: "relation", relation, target: `api::${name}.${name}` },
  ...side,
});

/**
 * Pages, notes and cards keep links to sections, tags, seats, topics and persons. All of them can be written from the
 * other side too, which is what somebody does here who may change the other side alone.
 */
export const bastionTypes: Pick<AppDefinition, "contentTypes" | "components"> = {
  components: {
    "shared.part": { info: { displayName: "part" }, attributes: { page: to("oneToOne", "page", {}) } },
  },
  contentTypes: {
    "api::page.page": type(
      "page",
      {
        title: { type: "string", ...LOCALIZED },
        section: to("manyToOne", "section", { inversedBy: "pages" }),
        tags: to("manyToMany", "tag", { inversedBy: "pages" }),
        seat: to("oneToOne", "seat", { inversedBy: "page" }),
        topic: to("manyToOne", "topic", { inversedBy: "pages" }),
        themes: to("manyToMany", "topic", { inversedBy: "themed" }),
        chair: to("oneToOne", "topic", { inversedBy: "chaired" }),
      },
      { ...DRAFTS, ...LOCALIZED },
    ),
    "api::note.note": type("note", {
      title: { type: "string" },
      section: to("manyToOne", "section", { inversedBy: "notes" }),
      tags: to("manyToMany", "tag", { inversedBy: "notes" }),
    }),
    "api::card.card": type("card", {
      title: { type: "string" },
      person: to("oneToOne", "person", { inversedBy: "card" }),
    }),
    "api::person.person": type("person", {
      name: { type: "string" },
      card: to("oneToOne", "card", { mappedBy: "person" }),
    }),
    "api::section.section": type("section", {
      name: { type: "string" },
      pages: to("oneToMany", "page", { mappedBy: "section" }),
      notes: to("oneToMany", "note", { mappedBy: "section" }),
      part: { type: "component", component: "shared.part" },
    }),
    "api::tag.tag": type("tag", {
      name: { type: "string" },
      pages: to("manyToMany", "page", { mappedBy: "tags" }),
      notes: to("manyToMany", "note", { mappedBy: "tags" }),
    }),
    "api::seat.seat": type("seat", { name: { type: "string" }, page: to("oneToOne", "page", { mappedBy: "seat" }) }),
    "api::topic.topic": type(
      "topic",
      {
        name: { type: "string" },
        pages: to("oneToMany", "page", { mappedBy: "topic" }),
        themed: to("manyToMany", "page", { mappedBy: "themes" }),
        chaired: to("oneToOne", "page", { mappedBy: "chair" }),
      },
      DRAFTS,
    ),
  },
};

const OWN = ["section", "tag", "seat", "topic", "person"].map((name) => `api::${name}.${name}.*`);
const READING = ["api::*.find", "api::*.findOne"];

/** Who may not read drafts, or some of them only. */
export const readers: Readonly<Record<string, Grant>> = {
  "reads-no-drafts": READING,
  "writes-no-drafts": [
    ...READING,
    ...["create", "update", "publish", "unpublish", "discardDraft"].map((action) => `api::page.page.${action}`),
  ],
  "reads-own-drafts": [...READING, { action: "api::page.page.findDrafts", where: { title: "Mine" } }],
};

const EDITING = ["create", "update", "findDrafts"].map((action) => `api::page.page.${action}`);

/** Who may write pages and not publish them, or some of them only. */
export const editors: Readonly<Record<string, Grant>> = {
  "edits-pages": [...READING, ...EDITING, "api::section.section.*", "api::topic.topic.*"],
  "publishes-own": [...READING, ...EDITING, { action: "api::page.page.publish", where: { title: "Mine" } }],
};

/** Who may change the other sides of relations, and not the types that keep the links: without a grant, or by a rule. */
export const intruders: Readonly<Record<string, Grant>> = {
  "has-no-update": [...READING, ...OWN, "api::card.card.create"],
  "has-no-row": [
    ...[...READING, ...OWN, "api::card.card.create"],
    ...["page", "note", "card"].map((name) => ({ action: `api::${name}.${name}.update`, where: { title: "none" } })),
  ],
};

/** Who may do all to pages, and each to none of them; and who may not read what they write. */
export const strangers: Readonly<Record<string, Grant>> = {
  "acts-on-no-row": [
    ...READING,
    ...["update", "delete", "publish", "unpublish", "discardDraft"].map((action) => ({
      ...{ action: `api::page.page.${action}`, where: { title: "none" } },
    })),
  ],
  "writes-blindly": ["create", "update", "delete", "publish", "unpublish", "discardDraft"].map(
    (action) => `api::page.page.${action}`,
  ),
};
