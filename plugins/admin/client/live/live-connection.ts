import { ApiError, api, ownHeaders } from "../app/api.js";
import { readEvents, type ServerEvent } from "./read-events.js";

/** Milliseconds before the first try to connect again, and the most. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 30_000;
/** After a stream was ended for its session: a page that signs out is gone by then. */
const BEFORE_LOOK = 500;
/** Refusals that trying again does not change: the session has ended, another account is signed in, or the request is wrong. */
const FINAL: ReadonlySet<number> = new Set([400, 401, 403, 409]);

/**
 * The stream of one browser. It connects again by itself, and says `lost` where something may have been missed. What is
 * watched changes with a second stream that takes the place of the first once it is open, so that nothing is missed.
 */
export class LiveConnection {
  #current: AbortController | undefined;

  /** @param hasMissed - whether events may have been missed before the first stream. */
  constructor(
    private readonly receive: (event: ServerEvent) => void,
    private hasMissed: boolean,
  ) {}

  /** Watches content-types and documents, in place of those before. */
  watch(entries: readonly string[]): void {
    const before = this.#current;
    this.#current = new AbortController();
    void this.#run(entries, this.#current.signal, before);
  }

  close(): void {
    this.#current?.abort();
  }

  async #run(entries: readonly string[], signal: AbortSignal, before: AbortController | undefined): Promise<void> {
    let wait = FIRST_WAIT;
    signal.addEventListener("abort", () => before?.abort());
    while (!signal.aborted) {
      const outcome = await this.#stream(entries, signal, () => {
        before?.abort();
        wait = FIRST_WAIT;
      });
      if (outcome === "over" || signal.aborted) return;
      this.hasMissed = true;
      await pause(Math.max(outcome, wait) * (1 + Math.random() / 2), signal);
      wait = Math.min(wait * 2, LONGEST_WAIT);
    }
  }

  /** @returns how long the server asks to wait before the next one; `over`: there is none for this session */
  async #stream(entries: readonly string[], signal: AbortSignal, onOpen: () => void): Promise<number | "over"> {
    let retry = 0;
    try {
      const headers = { ...ownHeaders(), Accept: "text/event-stream" };
      const address = `/admin/api/events?watch=${encodeURIComponent(entries.join(","))}`;
      const { ok, status, body } = await fetch(address, { headers, signal, credentials: "same-origin" });
      // A body that is not read keeps its connection.
      if (!ok) await body?.cancel();
      if (status === 401 || status === 403) return await lookWho(signal);
      if (!ok || !body) return FINAL.has(status) ? "over" : retry;
      for await (const said of readEvents(body)) {
        if ("retry" in said) retry = said.retry;
        else if (said.name === "end") return await lookWho(signal);
        else this.#take(said, onOpen);
      }
    } catch (error) {
      // The network, or the server, is away; a stream that is not wanted any more is broken off.
      if (!(error instanceof TypeError) && !(error instanceof DOMException)) throw error;
    }
    return retry;
  }

  #take(event: ServerEvent, onOpen: () => void): void {
    this.receive(event);
    if (event.name !== "hello") return;
    onOpen();
    if (this.hasMissed) this.receive({ name: "lost", data: {} });
    this.hasMissed = false;
  }
}

/** Asks as the page does, which has somebody sign in again, or set up a second factor, where that is needed. */
async function lookWho(signal: AbortSignal): Promise<number | "over"> {
  await pause(BEFORE_LOOK, signal);
  if (signal.aborted) return "over";
  try {
    await api("/boot");
    return 0;
  } catch (error) {
    if (error instanceof ApiError) return FINAL.has(error.status) ? "over" : 0;
    throw error;
  }
}

/** Waits for some time, or until the network is back. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      removeEventListener("online", done);
      signal.removeEventListener("abort", done);
      resolve();
    }
    addEventListener("online", done);
    signal.addEventListener("abort", done);
  });
}
