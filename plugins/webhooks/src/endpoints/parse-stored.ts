import type { Document } from "@plinth/core";
import { parseOptions } from "@plinth/core/options";
import type { EndpointValues } from "../contract.js";
import type { EndpointProblem } from "../errors.js";
import { storedEndpoint } from "./endpoint-schema.js";

/** What a row says of an endpoint. */
export interface StoredValues {
  /** What of it can be used. */
  readonly values: EndpointValues;
  /** What cannot; such an endpoint gets nothing. */
  readonly problems: readonly EndpointProblem[];
}

/** Reads the row of an endpoint, which may have been written past the check: by code, an import or an archive. */
export function parseStored(document: Document): StoredValues {
  const given = Object.entries(document).filter(([key, value]) => value !== null && !isWithoutSecrets(key, value));
  const { value, problems = [] } = parseOptions(storedEndpoint, Object.fromEntries(given), "");
  if (value) return { values: value as EndpointValues, problems };
  const wrong = new Set(problems.map(attributeOf));
  const right = Object.fromEntries(given.filter(([key]) => !wrong.has(key)));
  return { values: { name: "", url: "", events: [], ...right }, problems };
}

/** The attribute that a problem is about: `events` of `events[0]`. */
export const attributeOf = ({ path }: EndpointProblem): string => path.split(/[.[]/)[0] ?? path;

/** Archives carry none; nothing is sent until it has some. */
const isWithoutSecrets = (key: string, value: unknown): boolean =>
  key === "secrets" && Array.isArray(value) && value.length === 0;
