import { setTimeout as sleep } from "node:timers/promises";
import type { ClientConfig } from "pg";
import { reasonOf } from "../../base/error.js";
import { DatabaseUnreachableError, TwoPrimariesError } from "../errors.js";
import { GuardedClient } from "./guarded-client.js";
import { describeHost, type HostAddress, isSameHost } from "./host-list.js";

/** What a server of a list said of itself when it was asked last. */
export interface HostState extends HostAddress {
  readonly role: "primary" | "standby" | "unreachable";
  /** Grows by one with each promotion; undefined where the server does not say it. */
  readonly timeline: number | undefined;
  /** Why it is unreachable. */
  readonly reason?: string;
}

/** How long a server may take to answer, in milliseconds. */
const ANSWER_TIME = 2_000;
/** How long "there is no primary" is believed, so that many requests do not ask many times, in milliseconds. */
const NO_PRIMARY_TIME = 250;
/** How often all are asked although nothing failed, in milliseconds: a primary that was cut off goes on answering. */
const LOOK_INTERVAL = 10_000;

/**
 * A standby that has no connection to a primary knows the timeline of its last checkpoint.
 *
 * @source https://www.postgresql.org/docs/current/functions-info.html, pg_control_checkpoint
 */
const ASK = `select pg_is_in_recovery() as standby, case when pg_is_in_recovery()
  then coalesce((select received_tli from pg_stat_wal_receiver), (select timeline_id from pg_control_checkpoint()))
  else ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int end as timeline`;

/** The servers of a connection with several hosts, and which of them takes writes. */
export class Hosts {
  readonly #config: ClientConfig;
  readonly #where: string;
  readonly #lookListeners = new Set<() => void>();
  readonly #moveListeners = new Set<(from: HostAddress) => void>();
  #states: readonly HostState[];
  #looking: Promise<readonly HostState[]> | undefined;
  #primary: Promise<HostAddress> | undefined;
  /** What `#primary` was fulfilled with. */
  #known: HostAddress | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /**
   * @param config - of a client; its address is replaced by that of each host.
   * @param where - for messages.
   */
  constructor(hosts: readonly HostAddress[], config: ClientConfig, where: string) {
    this.#config = config;
    this.#where = where;
    this.#states = hosts.map((host) => ({
      ...host,
      role: "unreachable",
      timeline: undefined,
      reason: "not asked yet",
    }));
  }

  /** As of the last look, in the order of the connection. */
  get states(): readonly HostState[] {
    return this.#states;
  }

  /** Asks all at once; further callers meanwhile get the same answer. It takes 2 s at most, and never fails. */
  look(): Promise<readonly HostState[]> {
    this.#looking ??= Promise.all(this.#states.map((host) => askHost(this.#config, host))).then((states) => {
      this.#looking = undefined;
      this.#states = states;
      for (const listener of this.#lookListeners) listener();
      return states;
    });
    return this.#looking;
  }

  /** Calls `listener` after each look, until the returned function is called. */
  onLook(listener: () => void): () => void {
    this.#lookListeners.add(listener);
    return () => void this.#lookListeners.delete(listener);
  }

  /** Calls `listener` when a look finds that the primary is one no more, or that another is newer. */
  onMove(listener: (from: HostAddress) => void): void {
    this.#moveListeners.add(listener);
  }

  /**
   * The server that takes writes. All are asked once, and again after `forget`; one search serves all callers.
   *
   * @throws PLINTH_DATABASE_UNREACHABLE (503) none is a primary
   * @throws PLINTH_DATABASE_TWO_PRIMARIES (503) several are, on one timeline
   */
  primary(): Promise<HostAddress> {
    this.#primary ??= this.#search();
    return this.#primary;
  }

  /** Has the primary be looked for again, if this is the one that was found. */
  forget(host: HostAddress): void {
    if (this.#known && isSameHost(this.#known, host)) this.#forgetPrimary();
  }

  /** Ends the looks. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #search(): Promise<HostAddress> {
    try {
      this.#known = choosePrimary(await this.look(), this.#where);
      this.#lookLater();
      return this.#known;
    } catch (error) {
      void sleep(NO_PRIMARY_TIME, undefined, { ref: false }).then(() => this.#forgetPrimary());
      throw error;
    }
  }

  #forgetPrimary(): void {
    this.#known = undefined;
    this.#primary = undefined;
  }

  #lookLater(): void {
    if (this.#isClosed || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#lookAgain();
    }, LOOK_INTERVAL).unref();
  }

  /** What was found no longer holds where another server has taken over. */
  async #lookAgain(): Promise<void> {
    const before = this.#known;
    const states = await this.look();
    if (before && this.#known === before && !isBest(states, before)) {
      this.#forgetPrimary();
      for (const listener of this.#moveListeners) listener(before);
    }
    this.#lookLater();
  }
}

/** Clients that connect to the primary, wherever it is when they do. */
export function primaryClient(hosts: Hosts): typeof GuardedClient {
  return class extends GuardedClient {
    // The client's own has a second form, with a callback, which is not used here.
    override connect = async (): Promise<this> => {
      const host = await hosts.primary().catch((error: unknown) => {
        this.emit("end");
        throw error;
      });
      try {
        await this.connectTo(host);
        return this;
      } catch (error) {
        hosts.forget(host);
        throw error;
      }
    };
  };
}

async function askHost(config: ClientConfig, { host, port }: HostAddress): Promise<HostState> {
  const client = new GuardedClient({ ...config, application_name: "plinth hosts" });
  // The caller that waits for the answer gets the error.
  client.on("error", () => undefined);
  const limit = setTimeout(() => client.destroy(new Error("it does not answer")), ANSWER_TIME).unref();
  try {
    await client.connectTo({ host, port });
    const { rows } = await client.query<{ standby: boolean; timeline: number | null }>(ASK);
    const timeline = rows[0]?.timeline ?? undefined;
    return { host, port, role: rows[0]?.standby ? "standby" : "primary", timeline };
  } catch (error) {
    return { host, port, role: "unreachable", timeline: undefined, reason: reasonOf(error) };
  } finally {
    clearTimeout(limit);
    void client.leave();
  }
}

/** Those that could be written to: of the primaries the ones of the highest timeline. */
function primariesOf(states: readonly HostState[]): readonly HostState[] {
  const primaries = states.filter(({ role }) => role === "primary");
  const highest = Math.max(...primaries.map(({ timeline = 0 }) => timeline));
  return primaries.filter(({ timeline = 0 }) => timeline === highest);
}

function isBest(states: readonly HostState[], host: HostAddress): boolean {
  const [first, second] = primariesOf(states);
  return first !== undefined && second === undefined && isSameHost(first, host);
}

/** Written to both, two primaries on one timeline would each have a part of the content. */
function choosePrimary(states: readonly HostState[], where: string): HostAddress {
  const [first, ...others] = primariesOf(states);
  if (first === undefined) throw new DatabaseUnreachableError({ where, reason: `no primary (${describeAll(states)})` });
  if (others.length === 0) return { host: first.host, port: first.port };
  throw new TwoPrimariesError({
    hosts: [first, ...others].map(describeHost),
    timeline: first.timeline ?? 0,
  });
}

const describeAll = (states: readonly HostState[]): string =>
  states.map((state) => `${describeHost(state)} ${state.reason ?? state.role}`).join("; ");
