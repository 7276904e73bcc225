import type { Rule } from "@plinth/core";
import { actionsOfType, type Grant } from "@plinth/core/access";
import type { ContentModel, ContentType } from "@plinth/core/schema";

/** The role that may do everything; nothing changes it. */
export const SUPER = "super";

/** A role that is there without configuration. */
export interface GivenRole {
  readonly description: string;
  readonly grant: (model: ContentModel) => Grant;
}

/** The roles that every app has, by name. */
export const GIVEN_ROLES: Readonly<Record<string, GivenRole>> = {
  [SUPER]: { description: "Everything.", grant: () => "all" },
  editor: { description: "All content and all files.", grant: () => EDITOR },
  author: { description: "What they made themselves, without publishing it.", grant: authorGrant },
};

const EDITING = ["find", "findOne", "findDrafts", "create", "update", "delete", "publish", "unpublish", "discardDraft"];

/** Releases publish what editors may publish one by one. */
const EDITOR: Grant = [...EDITING.map((action) => `api::*.${action}`), "plugin::upload.*", "plugin::schedule.*"];

/** All files may be placed. */
const FILES_OF_AUTHORS = ["plugin::upload.*.find*", "plugin::upload.content-api.upload", "plugin::upload.file.create"];

/** Rules are about one action of one content-type each, so those of the author are made from the model. */
function authorGrant({ contentTypes, fileType }: ContentModel): Grant {
  const own = [...contentTypes.values()].filter(({ uid }) => uid.startsWith("api::"));
  return [...own.flatMap(authorActions), ...FILES_OF_AUTHORS, ...(fileType === undefined ? [] : ownFiles(fileType))];
}

/** Rows that the author made. */
const OWN: NonNullable<Rule["where"]> = { createdBy: { id: "{{user.id}}" } };

const OF_EDITORS: readonly string[] = ["publish", "unpublish"];

function authorActions(type: ContentType): readonly (string | Rule)[] {
  const names = ["findOne", ...actionsOfType(type)].filter((name) => !OF_EDITORS.includes(name));
  return [...new Set(names)].map((name) => ({ action: `${type.uid}.${name}`, where: OWN }));
}

/** Files are changed by who uploaded them. */
function ownFiles(uid: string): readonly Rule[] {
  return ["update", "delete"].map((name) => ({ action: `${uid}.${name}`, where: OWN }));
}
