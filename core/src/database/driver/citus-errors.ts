/** Reads errors of Citus: its coordinator hands on the messages of workers, with few of the fields that PostgreSQL gives. */

/** A name as a worker knows it, with the number of a shard at its end, in the quotes of any language. */
const QUOTED_SHARD_NAME = /["«»„“”]\s?([^"«»„“”]+?)_\d+\s?["«»„“”]/;
/** A name that is too long for that number has a hash in place of its end. */
const HASH = /_[0-9a-f]{8}$/;
/** Bytes that are left of such a name at least: 63, less hash, number of the shard, and a letter that does not fit. */
const LEFT_OF_LONG = 38;
/** A worker could not be reached, or a connection to it broke before a transaction was committed. */
const LOST_WORKER = /^connection to the remote node .+ failed|^failure on connection marked as essential/;
/** A worker was sent the commit, and gave no answer. */
const COMMIT_UNANSWERED = /^could not commit transaction for shard/;

/** A schema was moved to another worker between two parts of a statement. */
const MOVED_AWAY = /^Query could not find the intermediate result file/;

/** Whether a statement met the end of a move of its schema to another worker: the same transaction succeeds when it runs again. */
export const isMovedAway = ({ message }: Error): boolean => MOVED_AWAY.test(message);

/** Whether a worker was lost before a transaction was committed. A statement outside of one may have run. */
export const isLostWorker = ({ message }: Error): boolean => LOST_WORKER.test(message);

/** Whether a worker was lost while it committed. */
export const isUnansweredCommit = ({ message }: Error): boolean => COMMIT_UNANSWERED.test(message);

/**
 * The constraint that a worker's message names, as the coordinator knows it; undefined where it names none. One whose name is
 * long has `_` and a hash of 8 digits in place of its end.
 */
export const constraintOf = ({ message }: Error): string | undefined => QUOTED_SHARD_NAME.exec(message)?.[1];

/**
 * Whether a constraint that a worker named may be one of known names.
 *
 * @source https://github.com/citusdata/citus/blob/v13.2.2/src/backend/distributed/relay/relay_event_utility.c, AppendShardIdToName
 */
export function isNamedByShard(constraint: string, names: Iterable<string>): boolean {
  if (!HASH.test(constraint)) return false;
  const start = constraint.replace(HASH, "");
  if (Buffer.byteLength(start) < LEFT_OF_LONG) return false;
  return [...names].some((name) => name.startsWith(start));
}
