import { once } from "node:events";
import { type Addition, type Count, type Counters, counterKey } from "@plinth/core/access";
import type { Redis } from "ioredis";

/** Counters in Redis, closed with the app. */
export interface RedisCounters extends Counters {
  /** Proves that Redis answers, waiting five seconds for a connection that is not open yet. @throws why it does not */
  ping(): Promise<void>;
  close(): void;
}

/** The options of Redis, and the fallback where it does not answer. */
export interface RedisOptions {
  /** `redis://127.0.0.1:6379` */
  readonly url: string;
  /** The counters that are used while Redis does not answer. */
  readonly otherwise: Counters;
  /** Called with the reason when Redis is not used; at each failure. */
  readonly complain: (error: Error) => void;
}

const PREFIX = "plinth:limit:";
/** How long an answer may take, in milliseconds: a Redis that is frozen must not hold up sign-ins. */
const TIMEOUT = 500;
/** How long it is not used after a failure, in milliseconds. */
const PAUSE = 5000;

/** Adds to a counter, which expires after its interval: `{ value, milliseconds left }`. */
const ADD = `
  local value = redis.call("incrby", KEYS[1], ARGV[1])
  if redis.call("pttl", KEYS[1]) < 0 then redis.call("pexpire", KEYS[1], ARGV[2]) end
  return { value, redis.call("pttl", KEYS[1]) }
`;

/** Counters in Redis. A call that fails, or takes too long, is made to the others instead. */
export function createRedisCounters({ url, otherwise, complain }: RedisOptions): RedisCounters {
  const connecting = connect(url, complain);
  let pausedUntil = 0;
  const ask = async <T>(work: (redis: Redis) => Promise<T>, instead: () => Promise<T>): Promise<T> => {
    if (Date.now() < pausedUntil) return await instead();
    try {
      return await work(await connecting);
    } catch (error) {
      pausedUntil = Date.now() + PAUSE;
      complain(error instanceof Error ? error : new TypeError(String(error)));
      return await instead();
    }
  };
  return {
    add: (additions) =>
      ask(
        (redis) => Promise.all(additions.map((addition) => add(redis, addition))),
        () => otherwise.add(additions),
      ),
    read: (key) =>
      ask(
        async (redis) => Number((await redis.get(PREFIX + counterKey(key))) ?? 0),
        () => otherwise.read(key),
      ),
    ping: async () => {
      const redis = await connecting;
      // An error of the connection ends the waiting, too.
      if (redis.status !== "ready") await once(redis, "ready", { signal: AbortSignal.timeout(PAUSE) });
      await redis.ping();
    },
    close: () => void connecting.then((redis) => redis.disconnect()),
  };
}

/** Nothing waits for the connection. The library is loaded only here, because most apps count in their database. */
async function connect(url: string, complain: (error: Error) => void): Promise<Redis> {
  const { Redis: Client } = await import("ioredis");
  const options = {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: TIMEOUT,
    connectTimeout: PAUSE,
  };
  const redis = new Client(url, options);
  redis.on("error", complain);
  return redis;
}

async function add(redis: Redis, { key, by, interval }: Addition): Promise<Count> {
  const answer = await redis.eval(ADD, 1, PREFIX + counterKey(key), by, interval * 1000);
  const [value, left] = answer as readonly [number, number];
  return { value, endsAt: Date.now() + left };
}
