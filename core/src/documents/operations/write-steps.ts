import { type FieldNames, type Reach, unlimited } from "../../access/ability.js";
import type { PreparedQuery } from "../../database/reads/query.js";
import type { Version } from "../../database/writes/version.js";
import type { CreateParams, Document } from "../documents.js";
import { transformInput, type WriteEvent, type writeHooks } from "../hooks.js";
import { parseInput } from "../input/parse-input.js";
import type { WriteInput } from "../input.js";
import { publishRow } from "../write/copy-version.js";
import type { WriteAction } from "../write/row-rules.js";
import type { WriteScope } from "../write/write-scope.js";
import type { WriteParts } from "./write-parts.js";

/** The origin of the body, and the rule for it. */
interface BodyOf {
  readonly operation: "create" | "update";
  readonly action: "create" | "update";
  readonly documentId: string | undefined;
}

/** Checks the body of a write: all problems at once. @throws PLINTH_INPUT_* (400) */
export async function parseBody(
  { listeners, layout, plan, hashPassword }: WriteParts,
  params: CreateParams,
  { operation, action, documentId }: BodyOf,
): Promise<{ readonly data: CreateParams["data"]; readonly input: WriteInput }> {
  const { uid } = plan.type;
  const { ability = unlimited } = params;
  // JavaScript may leave the data out.
  const given = params.data ?? {};
  const data = listeners.has(transformInput, uid)
    ? await listeners.bus.waterfall(transformInput, given, { uid, operation, documentId })
    : given;
  const input = await parseInput(layout.model, plan.type, data, {
    mode: operation,
    hashPassword,
    visibility: params.visibility ?? "code",
    fields: fieldsOf(ability.reachOf(`${uid}.${action}`)),
    canFind: (target) => ability.can(`${target}.find`),
  });
  return { data, input };
}

/** The attributes that may be written; where no row may be written, the rows are checked. */
const fieldsOf = (reach: Reach): FieldNames | undefined => (reach.rows === "nothing" ? undefined : reach.fields);

/** A row that was written, to be published. */
interface Written {
  readonly row: Version;
  /** All versions of the document as they were, or the new one. */
  readonly versions: readonly Version[];
  /** Whose rules hold. */
  readonly actions: readonly WriteAction[];
  readonly event: WriteEvent;
}

/** Publishes the row that a write has written, within the hooks of publishing. @returns the published row where it is known already */
export async function publishWritten(
  { listeners, plan }: WriteParts,
  scope: WriteScope,
  { row, versions, actions, event }: Written,
): Promise<readonly Version[]> {
  // Handlers see what was written.
  if (listeners.hasBefore("publish", event.uid)) await scope.unit.flush();
  await listeners.before("publish", event);
  return await publishRow(scope, plan, row, { versions, actions });
}

/**
 * Reads what a write returns, and runs the hooks after it. The transaction ends with the read where none of them is in
 * it.
 */
export async function answerWrite(
  { listeners, reads }: WriteParts,
  answer: PreparedQuery,
  event: WriteEvent,
  hooks: readonly (keyof typeof writeHooks)[],
): Promise<Document | undefined> {
  const isLast = !hooks.some((each) => listeners.hasAfter(each, event.uid));
  const documents = await reads.answer(answer, isLast);
  for (const each of hooks) await listeners.after(each, { documents, ...event });
  return documents[0];
}

/** The id of a row. */
export const idOf = ({ id }: Version): string => id;
