import type { PreviewFocus } from "../../../../src/wire/preview.js";

const PATH = /^\w+(?:\.\w+)*$/;

/** The steps to the field that a message of a front end asks for; undefined for other messages. */
export function focusedPath(message: unknown): readonly string[] | undefined {
  if (typeof message !== "object" || message === null) return undefined;
  const { type, path } = message as Partial<Record<keyof PreviewFocus, unknown>>;
  const isFocus = type === ("plinth:focus" satisfies PreviewFocus["type"]) && typeof path === "string";
  return isFocus && PATH.test(path) ? path.split(".") : undefined;
}
