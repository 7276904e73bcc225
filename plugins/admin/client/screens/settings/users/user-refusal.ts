import type { Problem } from "../../../../src/wire/content.js";
import { ApiError } from "../../../app/api.js";
import { problemsOf } from "../../../app/problems.js";
import { t } from "../../../messages/text.js";

/** What is wrong with a user, by field, and what is of none. */
export interface UserRefusal {
  readonly problems: readonly Problem[];
  readonly general: Error | undefined;
}

/** Sentences of the server, which are those of its content API, and the field that each is about. */
const TAKEN: Readonly<Record<string, string>> = {
  "Username already taken": "username",
  "Email already taken": "email",
  "This attribute must be unique": "username",
};

/** Reads a refusal of the server. */
export function userRefusal(error: unknown): UserRefusal {
  if (!(error instanceof ApiError)) return { problems: [], general: error as Error };
  const taken = TAKEN[error.message];
  const errors = problemsOf(error);
  if (errors.length > 0) return { problems: errors.map(inWords), general: undefined };
  if (taken !== undefined) return { problems: [{ path: [taken], message: t("problem.taken") }], general: undefined };
  return { problems: [], general: error };
}

/** `password must be at least ...`: the name of the field stands above it. */
function inWords({ path, message, ...rest }: Problem): Problem {
  const field = String(path[0] ?? "");
  if (/is a required field$/.test(message)) return { ...rest, path, message: t("problem.required") };
  const text = message.startsWith(`${field} `) ? message.slice(field.length + 1) : message;
  return { ...rest, path, message: text.charAt(0).toUpperCase() + text.slice(1) };
}
