import { createHash } from "node:crypto";
import { addressGroup } from "@plinth/core/access";
import type { RequestInfo } from "@plinth/core/http";
import type { LiveConfig } from "./config.js";
import { NoRoomForStreamError, TooManyStreamsError } from "./errors.js";

/** Of all streams, what one account may have where the configuration does not say it. */
const SHARE = 1 / 10;

/** What one address may have without an account. Each stream can be of another read, and all are made again after one write. */
const OF_ADDRESS = 100;

/** Who has how many of the streams that a process may have. */
export class StreamPlaces {
  readonly #most: number;
  readonly #mostOfAccount: number;
  readonly #mostOfAddress: number;
  readonly #taken = new Map<string, number>();
  #all = 0;

  constructor(config: LiveConfig) {
    const { maxStreams, maxPerCaller = Math.ceil(maxStreams * SHARE) } = config;
    this.#most = maxStreams;
    this.#mostOfAccount = maxPerCaller;
    this.#mostOfAddress = config.maxPerAddress ?? Math.min(OF_ADDRESS, maxPerCaller);
  }

  /**
   * Takes a place for a stream.
   *
   * @returns gives it back, once
   * @throws PLINTH_LIVE_NO_ROOM (503), PLINTH_LIVE_TOO_MANY (429)
   */
  take(request: RequestInfo): () => void {
    if (this.#all >= this.#most) throw new NoRoomForStreamError({ why: `${this.#most} are open` });
    const account = accountOf(request);
    const caller = account ?? `address ${addressGroup(request.ip)}`;
    const most = account === undefined ? this.#mostOfAddress : this.#mostOfAccount;
    const own = this.#taken.get(caller) ?? 0;
    if (own >= most) throw new TooManyStreamsError({ most });
    this.#all += 1;
    this.#taken.set(caller, own + 1);
    return () => this.#giveBack(caller);
  }

  #giveBack(caller: string): void {
    this.#all -= 1;
    const own = (this.#taken.get(caller) ?? 1) - 1;
    if (own === 0) this.#taken.delete(caller);
    else this.#taken.set(caller, own);
  }
}

/** Undefined for a caller without an account. A token of the configuration has no id, and is known by itself. */
function accountOf({ actor: { kind, user, id = user?.documentId }, headers }: RequestInfo): string | undefined {
  if (id !== undefined) return `${kind} ${id}`;
  return kind === "token" ? `token ${digestOf(headers.authorization ?? "")}` : undefined;
}

const digestOf = (text: string): string => createHash("sha256").update(text).digest("base64url");
