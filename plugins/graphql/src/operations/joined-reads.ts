import type { ReadResult } from "@plinth/core";
import type { ReadPoint, ReadSource } from "@plinth/core/reads";

/** What an answer of several reads was read from. */
export interface JoinedReads {
  /** Undefined where one of them does not say. */
  readonly source: ReadSource | undefined;
  /** Undefined where one of them has none. */
  readonly stamp: string | undefined;
}

/** One read in place of several: it holds as long as each of them does. */
export function joinReads(reads: readonly Pick<ReadResult, "source" | "stamp">[]): JoinedReads {
  const sources = reads.flatMap(({ source }) => source ?? []);
  const stamps = reads.flatMap(({ stamp }) => stamp ?? []);
  return {
    source: sources.length === reads.length ? joinSources(sources) : undefined,
    stamp: stamps.length === reads.length ? stamps.join() : undefined,
  };
}

function joinSources(sources: readonly ReadSource[]): ReadSource {
  return {
    decides: sources.every(({ decides }) => decides),
    tables: [...new Set(sources.flatMap(({ tables }) => tables))].sort(),
    types: [...new Set(sources.flatMap(({ types }) => types))],
    stampOf: (stamps) => sources.map((source) => source.stampOf(stamps)).join(),
    stampNow: async (from?: ReadPoint) => (await Promise.all(sources.map((source) => source.stampNow(from)))).join(),
  };
}
