import { type Ability, allowAction } from "../../access/ability.js";
import { FIND_DRAFTS } from "../../access/type-actions.js";
import type { PreparedQuery } from "../../database/reads/query.js";
import type { ContentModel, ContentType } from "../../schema/model.js";
import { reachOfDrafts } from "./visible-types.js";
import { parseReadParams, type PreparedRead, type ReadOptions } from "./parse-params.js";

/**
 * Turns the parameters of a write's answer into a Query: the document as its writer may read it, and its ids alone for
 * a caller who may not read the type, or its drafts.
 *
 * @returns deeply frozen.
 * @throws as parseReadParams
 */
export function parseAnswerParams(
  model: ContentModel,
  type: ContentType,
  input: object,
  options: Omit<ReadOptions, "action">,
): PreparedRead {
  const { ability } = options;
  const action = answerAction(type, ability);
  const status = (input as { readonly status?: unknown }).status ?? options.defaultStatus;
  const isHidden = status === "draft" && reachOfDrafts(model, ability, type).rows === "nothing";
  const isUnread = isHidden || ability.reachOf(action).rows === "nothing";
  const reader = isHidden ? allowAction(ability, `${type.uid}.${FIND_DRAFTS}`) : ability;
  const prepared = parseReadParams(model, type, input, { ...options, ability: reader, action });
  return isUnread ? idsOf(prepared) : prepared;
}

/** A read's rows by their ids alone, whether the caller may read them or not. */
export function idsOf<Read extends PreparedQuery>(prepared: Read): Read {
  const { visible: _visible, ...query } = prepared.query;
  return { ...prepared, query: { ...query, selection: IDS } };
}

const IDS = Object.freeze({ fields: Object.freeze(["id", "documentId"]), populate: Object.freeze([]) });

/** By which action a writer reads: as they would read one document, or a list. */
function answerAction({ uid, kind }: ContentType, ability: Ability): string {
  const isOne = kind === "collectionType" && (ability.can(`${uid}.findOne`) || !ability.can(`${uid}.find`));
  return `${uid}.${isOne ? "findOne" : "find"}`;
}
