import type { Entry } from "./fleet.js";
import { fetchData, send } from "./fleet.js";

/** What trips of a run may lead to; there from the beginning. */
export interface Anchors {
  readonly drivers: readonly string[];
  readonly trips: readonly string[];
}

/** Which generation of its content each version of a trip shows; undefined: there is no such version. */
export interface TripState {
  readonly draft: number | undefined;
  readonly published: number | undefined;
}

/** A trip as its writer knows it. */
export interface TripRecord {
  readonly key: string;
  documentId: string | undefined;
  acknowledged: TripState;
  /** The state that a request without an answer asked for. */
  pending: TripState | undefined;
}

export const NOWHERE: TripState = { draft: undefined, published: undefined };
const STEPS_PER_TRIP = 5;
const MAX_TRIPS = 200;

/**
 * The content of a generation: every attribute and link of it follows from key and generation, so that a version that
 * mixes two of them, or lacks a part, is recognised.
 */
export function tripContent(key: string, generation: number, { drivers, trips }: Anchors) {
  const at = (list: readonly string[], step: number) => list[(key.length + generation + step) % list.length] as string;
  return {
    title: `${key} g${generation}`,
    lead: at(drivers, 0),
    crew: [at(drivers, 1), at(drivers, 2), at(drivers, 3)],
    before: at(trips, 0),
    base: at(trips, 1),
    seeAlso: [at(trips, 2), at(trips, 0)],
    shares: [at(trips, 1), at(trips, 2)],
    start: { place: `start ${generation}`, connection: at(trips, 2), guides: [at(drivers, 4), at(drivers, 0)] },
    stops: [
      { place: `first ${generation}`, connection: at(trips, 1), guides: [at(drivers, 2)] },
      { place: `second ${generation}`, connection: at(trips, 0), guides: [] },
    ],
  };
}

/**
 * One client: makes, changes, publishes and deletes trips of its own, one request after the other, until the server is gone.
 *
 * @param onAcknowledged - called after each answer
 */
export async function writeUntilGone(
  url: string,
  client: string,
  anchors: Anchors,
  onAcknowledged: () => void,
): Promise<readonly TripRecord[]> {
  const records: TripRecord[] = [];
  for (let index = 0; index < MAX_TRIPS; index += 1) {
    const record: TripRecord = {
      key: `${client}-${index}`,
      documentId: undefined,
      acknowledged: NOWHERE,
      pending: undefined,
    };
    records.push(record);
    for (let step = 0; step < STEPS_PER_TRIP; step += 1) {
      if (!(await writeStep(url, record, step, anchors))) return records;
      onAcknowledged();
    }
  }
  return records;
}

/** @returns false when the server was gone before it answered */
async function writeStep(url: string, record: TripRecord, step: number, anchors: Anchors): Promise<boolean> {
  const { request, state } = stepOf(record, step, anchors);
  record.pending = state;
  try {
    const { status, body } = await send(url, ...request);
    if (status >= 300) throw new UnexpectedAnswer(`${request[0]} ${request[1]}: ${status} ${JSON.stringify(body)}`);
    record.documentId ??= (body.data as Entry).documentId;
  } catch (error) {
    if (error instanceof UnexpectedAnswer) throw error;
    return false;
  }
  record.acknowledged = state;
  record.pending = undefined;
  return true;
}

class UnexpectedAnswer extends Error {}

type Request = [method: string, path: string, data?: object];

/** A draft, its publication, a change of both, a change of the draft, and for every third trip its end. */
function stepOf(
  record: TripRecord,
  step: number,
  anchors: Anchors,
): { readonly request: Request; readonly state: TripState } {
  const { published } = record.acknowledged;
  const content = tripContent(record.key, step, anchors);
  const own = `/api/trips/${record.documentId}`;
  if (step === 0)
    return { request: ["POST", "/api/trips?status=draft", content], state: { draft: 0, published: undefined } };
  if (step === 3) return { request: ["PUT", `${own}?status=draft`, content], state: { draft: step, published } };
  if (step === 4 && record.key.endsWith("3")) return { request: ["DELETE", own], state: NOWHERE };
  return { request: ["PUT", own, content], state: { draft: step, published: step } };
}

/** All trips of a version, whatever their number. */
export async function readTrips(url: string, status: "draft" | "published"): Promise<readonly Entry[]> {
  const populate =
    "populate[lead]=true&populate[crew]=true&populate[before]=true&populate[base]=true&populate[seeAlso]=true&populate[shares]=true&populate[start][populate]=*&populate[stops][populate]=*";
  const entries: Entry[] = [];
  for (let page = 1; ; page += 1) {
    const path = `/api/trips?status=${status}&sort=id&pagination[page]=${page}&pagination[pageSize]=100&${populate}`;
    const found = await fetchData<Entry[]>(url, "GET", path);
    entries.push(...found);
    if (found.length < 100) return entries;
  }
}

/** An entry in the form of `tripContent`. */
export function contentOf(entry: Entry): ReturnType<typeof tripContent> {
  const one = (field: string) => (entry[field] as Entry).documentId;
  const many = (field: string) => (entry[field] as Entry[]).map(({ documentId }) => documentId);
  const stop = (value: unknown) => {
    const { place, connection, guides } = value as { place: string; connection: Entry; guides: Entry[] };
    return { place, connection: connection.documentId, guides: guides.map(({ documentId }) => documentId) };
  };
  return {
    title: String(entry["title"]),
    lead: one("lead"),
    crew: many("crew"),
    before: one("before"),
    base: one("base"),
    seeAlso: many("seeAlso"),
    shares: many("shares"),
    start: stop(entry["start"]),
    stops: (entry["stops"] as unknown[]).map(stop),
  };
}
