import type { IncomingHttpHeaders } from "node:http";
import type { ErrorBody } from "./error-answer.js";
import { withoutTokens } from "./without-tokens.js";

/** Parameters that name attributes, numbers and languages, whose values may be shown. */
const SHOWN: ReadonlySet<string> = new Set(["sort", "fields", "populate", "pagination", "locale", "status"]);

/** Characters of a key or a value, of a query string, and of what was wrong. */
const PART = 30;
const QUERY = 120;
const PROBLEM = 300;

/**
 * A query string for people who watch a terminal: decoded and shortened. What somebody filtered or searched by, and
 * what is in unknown parameters, is not shown: it may be a token.
 *
 * @param search - without the question mark.
 */
export function describeQuery(search: string): string {
  if (search === "") return "";
  return shorten(
    `?${search
      .slice(0, 4 * QUERY)
      .split("&")
      .map(describeParameter)
      .join("&")}`,
    QUERY,
  );
}

function describeParameter(text: string): string {
  const end = text.indexOf("=");
  const key = decode(end < 0 ? text : text.slice(0, end));
  if (end < 0) return shorten(key, PART);
  const value = decode(text.slice(end + 1));
  return `${shorten(key, PART)}=${isShown(key) && value.length <= PART ? value : "…"}`;
}

/** A relation in `populate` has filters of its own. */
function isShown(key: string): boolean {
  const [first = "", ...steps] = key.split(/[[\]]+/);
  return SHOWN.has(first) && !steps.includes("filters");
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    // Cut in the middle, or never encoded: it is shown as it came.
    return text;
  }
}

/** What was wrong with a request, in one line: of several problems each. */
export function describeProblem({ message, details }: ErrorBody): string {
  const { errors = [] } = (details ?? {}) as { readonly errors?: readonly { readonly message?: unknown }[] };
  const messages = Array.isArray(errors) ? errors.flatMap((error) => error?.message ?? []) : [];
  return shorten(messages.length === 0 ? message : messages.join("; "), PROBLEM);
}

/** A text in which the credentials of its own request, and all that looks like some, are hidden. */
export function withoutCredentials(text: string, { authorization = "", cookie = "" }: IncomingHttpHeaders): string {
  const values = [...authorization.split(/[\s,]+/), ...cookie.split(/[;=\s]+/)].filter((value) => value.length >= 8);
  return withoutTokens(values.reduce((left, value) => left.replaceAll(value, "…"), text));
}

const shorten = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most)}…`);
