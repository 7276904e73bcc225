// Prices reads that would cost too much in content of any size by the content that there is.
import type { Extent } from "../database/reads/extents.js";
import type { Reader } from "../database/reads/read.js";
import type { PreparedQuery } from "../database/reads/query.js";
import type { ContentModel } from "../schema/model.js";
import { TooCostlyError } from "./params/errors.js";
import { ANY_SIZE, assessRead, type ContentSize } from "./params/read-cost.js";

/** How many lists may be in each other was counted when the read was parsed. */
const PARSED = { toManySteps: Number.POSITIVE_INFINITY };

/**
 * The read with the points that it costs here, where its form alone says more than it may cost. Other reads are handed back
 * as they are: nothing is counted for them.
 *
 * @throws PLINTH_QUERY_TOO_COSTLY (400)
 */
export async function withPrice<Read extends PreparedQuery>(
  model: ContentModel,
  reader: Pick<Reader, "extentOf">,
  read: Read,
): Promise<Read> {
  const { limits } = read;
  if (limits?.most === undefined) return read;
  const { points, answerPoints } = assessRead(model, read, PARSED, await sizeFor(model, reader, read));
  if (points > limits.most) throw new TooCostlyError({ cost: Math.round(points), limit: limits.most });
  return { ...read, limits: { ...limits, points, answerPoints } };
}

/** Counts what a read looks at, and no more. */
async function sizeFor(
  model: ContentModel,
  { extentOf }: Pick<Reader, "extentOf">,
  read: PreparedQuery,
): Promise<ContentSize> {
  const wanted = new Map<string, Extent>();
  const want = (type: string, list?: string): number => {
    wanted.set(keyOf(type, list), list === undefined ? { type } : { type, list });
    return Number.POSITIVE_INFINITY;
  };
  assessRead(model, read, PARSED, { rowsOf: (type) => want(type), linksOf: want });
  const counted = new Map<string, number>();
  const ask = async ([key, extent]: readonly [string, Extent]) => counted.set(key, roundUp(await extentOf(extent)));
  await Promise.all([...wanted].map(ask));
  const sizeOf = (type: string, list?: string) => counted.get(keyOf(type, list));
  return {
    rowsOf: (type) => sizeOf(type) ?? ANY_SIZE.rowsOf(type),
    linksOf: (type, list) => sizeOf(type, list) ?? ANY_SIZE.linksOf(type, list),
  };
}

/** To a power of two: the answer depends on rows that the caller may not see, and says no more of them. */
const roundUp = (count: number): number => (count <= 1 ? count : 2 ** Math.ceil(Math.log2(count)));

/** No uid has a space. */
const keyOf = (type: string, list = ""): string => `${type} ${list}`;
