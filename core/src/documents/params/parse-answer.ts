import type { Ability } from "../../access/ability.js";
import type { PreparedQuery } from "../../database/query.js";
import type { ContentModel, ContentType } from "../../schema/model.js";
import { parseReadParams, type PreparedRead, type ReadOptions } from "./parse-params.js";

/**
 * Turns the parameters of a write's answer into a Query: the document as its writer may read it, and its ids alone for
 * a writer who may not read the type.
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
  const action = answerAction(type, options.ability);
  const prepared = parseReadParams(model, type, input, { ...options, action });
  return options.ability.reachOf(action).rows === "nothing" ? idsOf(prepared) : prepared;
}

/** A read's rows by their ids alone, whether who asks may read them or not. */
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
