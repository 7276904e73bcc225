import type { FactOutput, GroupPopulate, RelationPopulate, Selection } from "../../database/reads/query.js";
import type { ContentModel, ContentType } from "../../schema/model.js";
import type { STATES } from "../../schema/state-field.js";
import type { VisibleType } from "./parse-context.js";

/** Facts of a document that are no values of it, in the order of answers. */
const FACTS = ["state", "createdBy", "updatedBy", "locales"] as const;

/** The name of one fact. */
export type FactName = (typeof FACTS)[number];

/** Which facts to return beside the fields of a row; true: all. */
export type FactsRequest = true | readonly FactName[];

/** The state of a document in one locale; `modified`: the draft was changed after it was published. */
export type DocumentState = (typeof STATES)[number];

/** Somebody who writes content, with the fields that their content-type names in `authors`. */
export type Person = { readonly id: number; readonly documentId: string } & Readonly<Record<string, unknown>>;

/** What `_facts` of a row holds; on types without drafts every state is `published`. */
export interface Facts {
  readonly state: DocumentState;
  /** Who made the row; null for a client of the content API, code, and people who are no longer there. */
  readonly createdBy: Person | null;
  /** Who made the last change of it, null as above. */
  readonly updatedBy: Person | null;
  /** Of all locales of the document that the caller sees, its own included; empty on types without locales. */
  readonly locales: readonly { readonly locale: string; readonly state: DocumentState }[];
}

/** The key of the facts in an answer; no attribute can have the name. */
const KEY = "_facts";

/**
 * A selection with the facts of its rows. The people are what the server says of rows, so finding them needs no
 * permission.
 */
export function withFacts(
  model: ContentModel,
  selection: Selection,
  request: FactsRequest | undefined,
  { shape: type, tested }: VisibleType,
): Selection {
  if (request === undefined) return selection;
  const order = request === true ? FACTS : FACTS.filter((name) => request.includes(name));
  const visible = tested ? { visible: tested } : {};
  const fields = order.flatMap((name): readonly FactOutput[] =>
    name === "state" || name === "locales" ? [{ fact: name, alias: name, ...visible }] : [],
  );
  const populate = order.flatMap((name) => personOf(model, type, name));
  const facts: GroupPopulate = { kind: "group", field: KEY, selection: { fields, populate, order } };
  return {
    ...selection,
    populate: [...selection.populate, facts],
    ...(selection.order ? { order: [...selection.order, KEY] } : {}),
  };
}

/** Without a content-type of authors the value is null. */
function personOf(
  { contentTypes, authorType = "" }: ContentModel,
  type: ContentType,
  name: string,
): RelationPopulate[] {
  if (!type.authors.has(name)) return [];
  const fields = ["id", "documentId", ...(contentTypes.get(authorType)?.personFields ?? [])];
  return [{ kind: "relation", field: name, sort: [], selection: { fields, populate: [] } }];
}
