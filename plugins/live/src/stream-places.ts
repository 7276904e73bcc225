import { addressGroup } from "@plinth/core/access";
import type { RequestInfo } from "@plinth/core/http";
import type { LiveConfig } from "./config.js";
import { NoRoomForStreamError, TooManyStreamsError } from "./errors.js";

/** Of all streams, what one caller may have where the configuration does not say it. */
const SHARE = 1 / 10;

/** Who has how many of the streams that a process may have. */
export class StreamPlaces {
  readonly #most: number;
  readonly #mostOfOne: number;
  readonly #taken = new Map<string, number>();
  #all = 0;

  constructor({ maxStreams, maxPerCaller = Math.ceil(maxStreams * SHARE) }: LiveConfig) {
    this.#most = maxStreams;
    this.#mostOfOne = maxPerCaller;
  }

  /**
   * Takes a place for a stream.
   *
   * @returns gives it back, once
   * @throws PLINTH_LIVE_NO_ROOM (503), PLINTH_LIVE_TOO_MANY (429)
   */
  take(request: RequestInfo): () => void {
    if (this.#all >= this.#most) throw new NoRoomForStreamError({ why: `${this.#most} are open` });
    const caller = callerOf(request);
    const own = this.#taken.get(caller) ?? 0;
    if (own >= this.#mostOfOne) throw new TooManyStreamsError({ most: this.#mostOfOne });
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

/** The account of a request; where it has none, the address. */
function callerOf({ actor: { kind, user, id = user?.documentId }, ip }: RequestInfo): string {
  return id === undefined ? `address ${addressGroup(ip)}` : `${kind} ${id}`;
}
