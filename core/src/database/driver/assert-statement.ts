// Checks statements of code that no compiler checked.
import { queryEngineOf } from "../../base/strapi-code.js";
import { StatementInvalidError } from "../errors.js";
import type { Statement } from "./database.js";

const UID = /^(?:api|plugin|admin|plinth|global)::/;

/** @throws PLINTH_STRAPI_CODE for the uid of a content-type, PLINTH_DATABASE_STATEMENT_INVALID for anything else */
export function assertStatement(given: unknown): asserts given is Statement {
  if (typeof given === "string" && UID.test(given)) throw queryEngineOf(given);
  const { text, values } = Object(given) as Partial<Statement>;
  if (typeof text !== "string") throw new StatementInvalidError({ given: describe(given) });
  if (!Array.isArray(values)) throw new StatementInvalidError({ given: `values that are ${describe(values)}` });
}

function describe(given: unknown): string {
  if (given === null || given === undefined) return String(given);
  if (Array.isArray(given)) return "a list";
  return typeof given === "object" ? `an object without text` : `a ${typeof given}`;
}
