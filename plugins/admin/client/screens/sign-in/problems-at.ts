import type { Problem } from "../../../src/wire/content.js";
import { ApiError } from "../../app/api.js";

/** What the server says of one value of a form. */
export function problemsAt(error: unknown, name: string): readonly string[] {
  if (!(error instanceof ApiError)) return [];
  const { errors = [] } = error.details as { readonly errors?: readonly Problem[] };
  return errors.filter(({ path }) => String(path) === name).map(({ message }) => message);
}
