import type { PasswordPlace, BodyContext } from "./body-context.js";
import { BodyTooDeepError, InvalidInputError } from "../errors.js";
import type { ContentModel, ContentType } from "../../schema/model.js";
import { problemAt, wrongType } from "../../schema/value-problem.js";
import { listProblems } from "../problems.js";
import type { WriteInput } from "../input.js";
import { checkKeys, type Writer } from "./check-keys.js";
import { isRecord } from "./is-record.js";
import { parseShape } from "./parse-shape.js";
import { assertNoProblems, toInputProblem } from "../problems.js";

/** What a body is for. */
export interface InputOptions extends Writer {
  /** `create` gives defaults and refuses what lacks required attributes; `update` leaves alone what the body does not name. */
  readonly mode: "create" | "update";
  readonly hashPassword: HashPassword;
}

/**
 * Checks the body of a write and resolves every name and value: first all keys, then all values, so that all problems
 * of values come in one error. Passwords come hashed; nothing is read from the database.
 *
 * A body of a type with drafts is always checked by the rules for drafts, because it is the draft row that it changes;
 * `checkPublishable` holds the rest against the row when it is published.
 *
 * @param data - `{ title: "a", author: "x1...", seo: { metaTitle: "b" } }`; `locale` and `publishedAt` are ignored.
 * @throws PLINTH_INPUT_UNKNOWN_KEY (400) details `{ key, path, source: "body" }`
 * @throws PLINTH_INPUT_INVALID (400) details `{ errors, total }`
 * @throws PLINTH_INPUT_MALFORMED_DATE (400) details `{}`
 * @throws PLINTH_INPUT_BODY_TOO_DEEP (400) details `{ maxDepth }`
 * @throws PLINTH_INPUT_TOO_MANY_PARTS (400) details `{ max }`, where a client writes
 * @source plugins/content-api/WIRE.md#writes
 * @source plugins/content-api/WIRE.md#errors
 */
export async function parseInput(
  model: ContentModel,
  type: ContentType,
  data: unknown,
  options: InputOptions,
): Promise<WriteInput> {
  assertShallow(data);
  if (!isRecord(data))
    throw new InvalidInputError(listProblems([toInputProblem(problemAt([], wrongType("object", data), data))]));
  checkKeys(model, type, data, options);
  const context: BodyContext = { model, isDraft: type.hasDrafts, problems: [], passwords: [], generated: new Set() };
  const { scalars, relations, components } = parseShape(
    type,
    data,
    { path: [], isNew: options.mode === "create" },
    context,
  );
  assertNoProblems(context.problems);
  await hashPasswords(context.passwords, options.hashPassword);
  return { scalars, relations, components, generated: context.generated, set: options.set };
}

/** Far beyond any content, and far below what exhausts the stack here, in JSON texts and in PostgreSQL's jsonb. */
const MAX_DEPTH = 100;

/**
 * Rejects data that is nested too deep, so that all later code may walk it recursively.
 *
 * @throws PLINTH_INPUT_BODY_TOO_DEEP (400) details `{ maxDepth }`
 */
function assertShallow(value: unknown, depth = 0): void {
  if (typeof value !== "object" || value === null) return;
  if (depth >= MAX_DEPTH) throw new BodyTooDeepError({ maxDepth: MAX_DEPTH });
  for (const item of Object.values(value)) assertShallow(item, depth + 1);
}

/** Hashes a password for storage. */
export type HashPassword = (password: string) => Promise<string>;

/** Replaces passwords in clear text by their hashes, one after the other to leave the processor to others. */
async function hashPasswords(places: readonly PasswordPlace[], hash: HashPassword): Promise<void> {
  for (const { scalars, name } of places) scalars.set(name, await hash(String(scalars.get(name))));
}
