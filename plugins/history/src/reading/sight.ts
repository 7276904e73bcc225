import { type Ability, type App, NotFoundError } from "@plinth/core";
import { assertCan, unlimited } from "@plinth/core/access";
import { parseReadParams, reachOfDrafts, shapeOf, type Visibility } from "@plinth/core/reads";
import { type Attribute, type ContentType, isRelation, type RelationAttribute } from "@plinth/core/schema";
import type { Viewer } from "../contract.js";
import type { KeptType } from "../kept-types.js";
import type { KeptDocument } from "./kept-versions.js";

/** What a viewer sees of the versions of a content-type, by what they may see of its documents today. */
export interface Sight {
  readonly type: ContentType;
  readonly visibility: Visibility;
  readonly ability: Ability;
  /** The attributes of the type that they see. */
  readonly attributes: readonly Attribute[];
  /** Whether that is all of them, so that those that are gone may be named. */
  readonly isWhole: boolean;
  /** Whether they are code that the server trusts. */
  readonly isTrusted: boolean;
  /** Whether an attribute, of a component as well, is shown to them at all; what is no part of versions was one once, maybe. */
  sees(attribute: Attribute): boolean;
}

/**
 * What a viewer may see of a content-type.
 *
 * @throws PLINTH_ACCESS_FORBIDDEN (403) where that is nothing
 */
export function sightOf({ type, leavesOut }: KeptType, viewer: Viewer): Sight {
  const { visibility = "code", withPrivate = visibility === "admin", ability = unlimited } = viewer;
  const action = actionOf(type, visibility);
  assertCan(ability, [action]);
  const shape = shapeOf(type, ability.reachOf(action));
  const sees = (attribute: Attribute) =>
    !leavesOut(attribute) &&
    ((withPrivate && visibility !== "public") || !attribute.isPrivate) &&
    (!isRelation(attribute) || mayFollow(ability, attribute));
  const attributes = [...shape.attributes.values()].filter(sees);
  const isWhole = visibility !== "public" && shape === type;
  return { type, visibility, ability, attributes, isWhole, isTrusted: viewer.ability === undefined, sees };
}

/** By which a document is read; clients of the content API read one by `findOne`, where the type has that. */
const actionOf = ({ uid, kind }: ContentType, visibility: Visibility): string =>
  visibility === "admin" || kind === "singleType" ? `${uid}.find` : `${uid}.findOne`;

/** As for what is populated: media needs no permission, and of links to several types each is asked for by itself. */
const mayFollow = (ability: Ability, { kind, target }: RelationAttribute): boolean =>
  kind === "media" || target === undefined || ability.can(`${target}.find`);

/**
 * Lets those pass who see the document as it is now, drafts included; and of one that is not there any more those who would see
 * every document of the type.
 *
 * @throws PLINTH_HTTP_NOT_FOUND (404), PLINTH_ACCESS_FORBIDDEN (403) without the permission to read drafts
 */
export async function assertSeen(app: App, sight: Sight, document: KeptDocument): Promise<void> {
  if (sight.isTrusted) return;
  const { type, visibility, ability } = sight;
  const action = actionOf(type, visibility);
  const { documentId, locale } = document;
  const prepared = parseReadParams(
    app.model,
    type,
    { locale: locale === "" ? undefined : locale, fallbackLocale: [] },
    { visibility, ability, action, documentId, kind: "one", defaultStatus: "draft", selection: ID },
  );
  if (document.now === undefined && document.versions.length > 0 && seesAll(app, sight)) return;
  const { text } = await app.documents(type.uid).read(prepared);
  if (text === "null") throw new NotFoundError({});
}

const ID = { fields: [{ name: "id" }], populate: [] };

/** Whether no rule on rows keeps documents from a viewer, nor their drafts. */
export function seesAll({ model }: App, { type, visibility, ability }: Sight): boolean {
  const reaches = [ability.reachOf(actionOf(type, visibility)), reachOfDrafts(model, ability, type)];
  return reaches.every(({ rows }) => rows === "everything");
}
