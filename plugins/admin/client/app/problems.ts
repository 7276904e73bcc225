import type { Problem } from "../../src/wire/content.js";
import { ApiError } from "./api.js";

/** What a refusal lists: problems of documents, or what is wrong with single values. Empty where it lists nothing. */
export function errorsOf<Each>(error: unknown): readonly Each[] {
  const { errors } = error instanceof ApiError ? error.details : {};
  return Array.isArray(errors) ? (errors as readonly Each[]) : [];
}

/** What an error says of single values. */
export const problemsOf = (error: unknown): readonly Problem[] =>
  errorsOf<Problem>(error).map((problem) => ({ ...problem, path: stepsOf(problem.path) }));

/** Errors of the server name a place by steps, or by one text: `permissions[2].where`. */
const stepsOf = (path: Problem["path"] | string): Problem["path"] =>
  typeof path === "string" ? path.split(/[.[\]]+/).filter((step) => step !== "") : path;

/** What an error says of one value of a form. @param path - steps with dots between them */
export const problemsAt = (error: unknown, path: string): readonly string[] =>
  problemsOf(error)
    .filter((problem) => problem.path.join(".") === path)
    .map(({ message }) => message);
