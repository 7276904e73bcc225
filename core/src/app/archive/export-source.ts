import { setTimeout as sleep } from "node:timers/promises";
import { reasonOf } from "../../base/error.js";
import type { Database } from "../../database/driver/database.js";
import { parsePosition, type Position } from "../../database/driver/position.js";
import type { Replica } from "../../database/driver/replica.js";
import { ArchiveReplicaError } from "./errors.js";

/** Milliseconds in which a replica has to come to what the primary had when the export began. */
const PATIENCE = 5_000;
const PAUSE = 50;

/** What an export holds at least: all that was committed then. */
export interface ExportMoment {
  /** ISO 8601, by the primary's clock. */
  readonly at: string;
  /** In PostgreSQL's log: `0/1A2B3C`. */
  readonly position: string | null;
}

/** The server that an export reads. */
export interface ExportSource {
  readonly db: Database;
  /** What a replica had caught up to; undefined for the primary, whose own snapshot says it. */
  readonly moment: ExportMoment | undefined;
}

/** How the server is chosen. */
export interface SourceChoice {
  /** True: the primary, although there are replicas. */
  readonly fromPrimary: boolean;
  readonly say: (line: string) => void;
}

/**
 * Runs the reading of an export, on a replica that has all that was committed before it began: a long snapshot on the primary
 * keeps vacuum from its work. Without such a replica it is the primary.
 *
 * @throws PLINTH_ARCHIVE_REPLICA_FAILED (500) where the replica ended it: what was written cannot be taken back.
 */
export async function withSource<T>(
  db: Database,
  { fromPrimary, say }: SourceChoice,
  read: (source: ExportSource) => Promise<T>,
): Promise<T> {
  const primary = { db, moment: undefined };
  if (!db.replicas || fromPrimary) return read(primary);
  const { moment, replica } = await findReplica(db);
  if (!replica) {
    say("no replica has caught up: reading from the primary");
    return read(primary);
  }
  say("reading from a replica");
  return replica.run((own) =>
    read({ db: own, moment }).catch((error: unknown) => {
      throw isOfDatabase(error) ? new ArchiveReplicaError({ reason: reasonOf(error) }) : error;
    }),
  );
}

interface Found {
  readonly moment: ExportMoment | undefined;
  readonly replica: Replica<Database> | undefined;
}

/** Where positions are times, it is not known what a replica has seen. */
async function findReplica(db: Database): Promise<Found> {
  const { replicas } = db;
  const none: Found = { moment: undefined, replica: undefined };
  if (!replicas?.commitText) return none;
  const text = `select ${ISO_NOW} as at, position from (${replicas.commitText}) log`;
  const [found] = await db.query<{ at: string; position: string }>({ text, values: [] });
  const position = found && parsePosition(found.position);
  if (!position) return none;
  const moment = { at: found.at, position: found.position.replace(/^.*-/, "") };
  return { moment, replica: await caughtUp(replicas, position) };
}

async function caughtUp(
  replicas: NonNullable<Database["replicas"]>,
  position: Position,
): Promise<Replica<Database> | undefined> {
  for (const end = performance.now() + PATIENCE; performance.now() < end; await sleep(PAUSE)) {
    const replica = await replicas.choose({ position });
    if (replica) return replica;
  }
  return undefined;
}

/** The time of the transaction as ISO 8601. */
export const ISO_NOW = `to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** SQLSTATEs, such as 40001 for what stood in the way of replaying, and what became of them here. */
const isOfDatabase = (error: unknown): boolean =>
  /^(?:[0-9A-Z]{5}|PLINTH_DATABASE_.*)$/.test(String((error as { readonly code?: unknown } | null)?.code));
