import pg from "pg";
import type { Statement } from "./database.js";

/** The client's own rule of how a value is written; its types do not name it. */
const { utils } = pg as unknown as { readonly utils: { prepareValue(value: unknown): string | Buffer | null } };

/**
 * The statement with its values as they are sent. Done before anything is: a value that cannot be sent is found when the
 * client has named and parsed its statement and sent those before it, and what a connection has prepared and what
 * we believe of it are then two things.
 *
 * @throws whatever writing the value throws, as a circular object does.
 */
export function withBoundValues(statement: Statement): Statement {
  return { ...statement, values: statement.values.map((value) => utils.prepareValue(value)) };
}
