import { isNamedByShard } from "../../database/driver/citus-errors.js";
import type { Database } from "../../database/driver/database.js";
import { UNIQUE_VIOLATION } from "../../database/driver/driver-error.js";
import { tableIndexes } from "../../database/layout/index-spec.js";
import type { ContentModel } from "../../schema/model.js";
import { ForeignIndexError, type InputProblem, NotUniqueError, WriteConflictError } from "../errors.js";
import { listProblems } from "../problems.js";
import type { Attempt } from "./write-scope.js";

/** How often a write runs again because a concurrent one was quicker; each time some other write has come through. */
const MAX_ATTEMPTS = 200;

/** Where writes run: the database, and the names of the unique indexes that the content model asks for. */
export interface WriteRunner {
  readonly db: Database;
  readonly indexes: ReadonlySet<string>;
}

/** Makes the runner of all writes of a model. */
export function createWriteRunner(db: Database, model: ContentModel): WriteRunner {
  const indexes = [...model.contentTypes.values()].flatMap((type) => tableIndexes(model, type));
  return { db, indexes: new Set(indexes.filter(({ isUnique }) => isUnique).map(({ name }) => name)) };
}

/**
 * Runs a write in a transaction (a savepoint inside of one). Unique indexes decide, nothing is read before the write:
 * when one refuses a row, the write is rolled back and all unique attributes of the row are looked up for the answer.
 * If none of them is taken, the index was that of a one-to-one relation, of a version that a concurrent write made, or
 * of a uid that the server had generated: the write runs again and sees what is there now.
 *
 * @param work - gets an empty list and notes in it the rows that it publishes.
 * @throws PLINTH_DOCUMENT_NOT_UNIQUE (400) details `{ errors }`
 * @throws PLINTH_DOCUMENT_FOREIGN_INDEX (400) details `{ index }` for a unique index that is not the model's
 * @throws PLINTH_DOCUMENT_CONFLICT (409)
 */
export async function runWrite<Result>(
  { db, indexes }: WriteRunner,
  uid: string,
  work: (attempts: Attempt[]) => Promise<Result>,
): Promise<Result> {
  for (let run = 1; run <= MAX_ATTEMPTS; run += 1) {
    let attempts: Attempt[] = [];
    try {
      return await db.transaction(() => {
        attempts = [];
        return work(attempts);
      });
    } catch (error) {
      const index = refusingIndex(error);
      if (index === undefined) throw error;
      await assertUnique(db, attempts);
      if (!isOfModel({ db, indexes }, index)) throw new ForeignIndexError({ index }, { cause: error });
    }
  }
  throw new WriteConflictError({ uid, attempts: MAX_ATTEMPTS });
}

/** Whether the content model asks for an index. Workers of Citus shorten names. */
const isOfModel = ({ db, indexes }: WriteRunner, index: string): boolean =>
  indexes.has(index) || (db.engine === "citus" && isNamedByShard(index, indexes));

/**
 * A generated uid is not a conflict of the client: the write runs again, and takes another one.
 *
 * @throws PLINTH_DOCUMENT_NOT_UNIQUE (400) with all conflicts of the rows that were to be published, in each locale
 */
async function assertUnique(db: Database, attempts: readonly Attempt[]): Promise<void> {
  const isSeveral = new Set(attempts.map(({ locale }) => locale)).size > 1;
  const errors = new Map<string, InputProblem>();
  for (const attempt of attempts) {
    const { locale } = attempt;
    for (const problem of await conflictsOf(db, attempt)) {
      const key = `${locale} ${problem.path.join(".")}`;
      if (!errors.has(key)) errors.set(key, isSeveral ? { ...problem, locale } : problem);
    }
  }
  if (errors.size > 0) throw new NotUniqueError(listProblems([...errors.values()]));
}

async function conflictsOf(
  db: Database,
  { plan, documentId, locale, content, generated }: Attempt,
): Promise<readonly InputProblem[]> {
  if (plan.sql.conflicts === undefined) return [];
  const record = Object.fromEntries(plan.uniques.map(({ name, column }) => [column, content[name] ?? null]));
  const values = [JSON.stringify(record), locale, documentId];
  const rows = await db.query<{ name: string }>({ text: plan.sql.conflicts, values });
  const names = new Set(rows.map(({ name }) => name));
  const message = "This attribute must be unique";
  return plan.uniques
    .filter(({ name }) => names.has(name) && !generated.has(name))
    .map(({ name }) => ({ path: [name], message, name: "ValidationError", value: content[name] }));
}

/** The unique index that refused a row, from the driver's error or one of ours around it; undefined for other errors. */
function refusingIndex(error: unknown): string | undefined {
  const { code, constraint, cause } = (error ?? {}) as Readonly<Record<"code" | "constraint" | "cause", unknown>>;
  if (code === UNIQUE_VIOLATION) return String(constraint);
  return cause instanceof Error ? refusingIndex(cause) : undefined;
}
