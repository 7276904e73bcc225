import { randomGraphqlPart } from "./graphql-parts.js";
import type { Random } from "./random.js";
import { randomRestPart } from "./rest-parts.js";
import { ROOTS, typeOf } from "./sample-types.js";

/** A read that may be expensive: parts of a query string, or root fields of a GraphQL document. */
export interface Candidate {
  readonly surface: "rest" | "graphql";
  readonly type: string;
  readonly parts: readonly string[];
}

const PARTS = 6;

export function randomCandidate(random: Random): Candidate {
  const surface = random.once(3) ? "graphql" : "rest";
  const type = random.pick(ROOTS);
  const parts = Array.from({ length: 1 + random.below(PARTS) }, () => randomPart({ surface, type }, random));
  return { surface, type, parts };
}

/** A candidate with one part more, one less, or another one. */
export function changeCandidate(candidate: Candidate, random: Random): Candidate {
  const { parts } = candidate;
  const at = random.below(parts.length);
  const part = randomPart(candidate, random);
  const change = random.below(4);
  if (change === 0 && parts.length > 1) return { ...candidate, parts: parts.toSpliced(at, 1) };
  if (change === 1) return { ...candidate, parts: parts.toSpliced(at, 1, part) };
  return { ...candidate, parts: [...parts, part] };
}

function randomPart({ surface, type }: Omit<Candidate, "parts">, random: Random): string {
  return surface === "rest" ? randomRestPart(type, random) : randomGraphqlPart(type, random);
}

/** A request as `fetch` takes it. */
export interface SentRequest {
  readonly path: string;
  readonly init: RequestInit;
}

export function requestOf({ surface, type, parts }: Candidate): SentRequest {
  if (surface === "rest") return { path: `/api/${typeOf(type).plural}?${parts.join("&")}`, init: {} };
  const fields = parts.flatMap((part) => part.split("\n")).map((field, at) => `r${at}: ${field}`);
  const body = JSON.stringify({ query: `{ ${fields.join("\n")} }` });
  return { path: "/graphql", init: { method: "POST", headers: { "content-type": "application/json" }, body } };
}
