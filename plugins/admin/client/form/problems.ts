import type { Problem } from "../../src/wire/content.js";
import { ApiError } from "../app/api.js";

/** What an error says of single values. */
export function problemsOf(error: unknown): readonly Problem[] {
  if (!(error instanceof ApiError)) return [];
  const { errors = [] } = error.details as { readonly errors?: readonly Problem[] };
  return errors.map((problem) => ({ ...problem, path: stepsOf(problem.path) }));
}

/** Errors of the server name a place by steps, or by one text with dots. */
const stepsOf = (path: Problem["path"] | string): Problem["path"] =>
  typeof path === "string" ? path.split(".") : path;
