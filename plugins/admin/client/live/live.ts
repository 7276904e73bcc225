import type { DocumentChange, Hello, PeopleAt } from "../../src/wire/live.js";
import { randomText } from "../form/random-text.js";
import { LiveConnection } from "./live-connection.js";
import type { ServerEvent } from "./read-events.js";

/** What the page learns of others. */
export interface LiveListener {
  /** A document was written, perhaps by this tab. */
  readonly onChange?: (change: DocumentChange) => void;
  readonly onPeople?: (people: PeopleAt) => void;
  /** Something may have been missed: what is shown is read again. */
  readonly onLost?: () => void;
}

/** Who is signed in, and with which content model the page works. */
interface LiveOptions {
  readonly account: string;
  readonly modelVersion: string;
  /** Whether what is shown may be older than the stream: it is read again once the stream is open. */
  readonly hasMissed: boolean;
}

/** What tabs tell each other. */
type TabMessage =
  | { readonly kind: "event"; readonly event: ServerEvent }
  | { readonly kind: "watch"; readonly tab: string; readonly entries: readonly string[] }
  | { readonly kind: "ask" };

const TAB_LENGTH = 16;
/** Milliseconds for which changes of what is watched are collected. */
const REST = 60;
/** Milliseconds after its start from which a tab that takes the stream over may have missed something. */
const LATE = 3_000;

/** Name of this tab in presence. */
export const TAB: string = randomText(TAB_LENGTH);

const watched = new Map<string, number>();
const listeners = new Set<LiveListener>();
const onWatched = new Set<() => void>();
const onModel = new Set<() => void>();
let isModelOld = false;

/** Watches a content-type, `api::article.article`, or a document of one, `api::article.article/k2v9...`. @returns what stops it */
export function watchLive(entry: string, listener: LiveListener): () => void {
  watched.set(entry, (watched.get(entry) ?? 0) + 1);
  listeners.add(listener);
  for (const tell of onWatched) tell();
  return () => {
    listeners.delete(listener);
    const left = (watched.get(entry) ?? 1) - 1;
    if (left > 0) watched.set(entry, left);
    else watched.delete(entry);
    for (const tell of onWatched) tell();
  };
}

/** Whether the server has another content model than the page. */
export const hasModelChanged = (): boolean => isModelOld;

/** Calls a listener when that is so. @returns what stops it */
export function onModelChange(listener: () => void): () => void {
  onModel.add(listener);
  return () => onModel.delete(listener);
}

/** Begins to listen. One tab of the browser has the stream, and tells the others. @returns what stops it */
export function startLive(options: LiveOptions): () => void {
  const tabs = new Tabs(options);
  const tell = () => tabs.watch();
  onWatched.add(tell);
  tabs.start();
  return () => {
    onWatched.delete(tell);
    tabs.stop();
  };
}

/** Hands an event to who wants it. */
function hand({ name, data }: ServerEvent, { modelVersion }: LiveOptions): void {
  if (name === "hello") {
    const isOther = (data as Hello).modelVersion !== modelVersion;
    if (isOther === isModelOld) return;
    isModelOld = isOther;
    for (const listener of onModel) listener();
    return;
  }
  for (const { onChange, onPeople, onLost } of [...listeners]) {
    if (name === "change") onChange?.(data as DocumentChange);
    if (name === "people") onPeople?.(data as PeopleAt);
    if (name === "lost") onLost?.();
  }
}

/** The tabs of one account in this browser, of which one has the stream. */
class Tabs {
  readonly #stopped = new AbortController();
  readonly #began = performance.now();
  /** Of the tab that has the stream: what the others watch, and who is where. */
  readonly #others = new Map<string, readonly string[]>();
  readonly #people = new Map<string, ServerEvent>();
  #channel: BroadcastChannel | undefined;
  #connection: LiveConnection | undefined;
  #asked = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: LiveOptions) {}

  start(): void {
    const { signal } = this.#stopped;
    const name = `plinth-live ${this.options.account}`;
    addEventListener("pagehide", () => this.#say([]), { signal });
    addEventListener("pageshow", ({ persisted }) => persisted && this.watch(), { signal });
    // Over plain http there are no locks: each tab has a stream then.
    if (!("locks" in navigator)) {
      this.#lead();
      return;
    }
    this.#channel = new BroadcastChannel(name);
    this.#channel.onmessage = ({ data }: MessageEvent<TabMessage>) => this.#hear(data);
    this.#say([...watched.keys()]);
    const held = navigator.locks.request(name, { signal }, () => {
      this.#lead();
      return new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    });
    // Stopped before it had the stream.
    held.catch(() => undefined);
  }

  stop(): void {
    this.#say([]);
    clearTimeout(this.#timer);
    this.#stopped.abort();
    this.#connection?.close();
    this.#channel?.close();
  }

  /** What this tab watches has changed. */
  watch(): void {
    if (this.#connection) this.#soon();
    else this.#say([...watched.keys()]);
  }

  #lead(): void {
    if (this.#stopped.signal.aborted) return;
    const hasMissed = this.options.hasMissed || performance.now() - this.#began > LATE;
    this.#connection = new LiveConnection((event) => this.#spread(event), hasMissed);
    this.#channel?.postMessage({ kind: "ask" } satisfies TabMessage);
    this.#asked = "not asked yet";
    this.#soon();
  }

  /** Opens the stream again where the list of what is watched has changed. */
  #soon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const entries = [...new Set([...watched.keys(), ...[...this.#others.values()].flat()])].toSorted();
      if (entries.join() === this.#asked) return;
      this.#asked = entries.join();
      this.#connection?.watch(entries);
    }, REST);
  }

  #spread(event: ServerEvent): void {
    if (event.name === "people") {
      const { uid, documentId } = event.data as PeopleAt;
      this.#people.set(`${uid}/${documentId}`, event);
    }
    hand(event, this.options);
    this.#channel?.postMessage({ kind: "event", event } satisfies TabMessage);
  }

  #say(entries: readonly string[]): void {
    this.#channel?.postMessage({ kind: "watch", tab: TAB, entries } satisfies TabMessage);
  }

  #hear(message: TabMessage): void {
    if (message.kind === "event") hand(message.event, this.options);
    else if (message.kind === "ask") this.#say([...watched.keys()]);
    else if (this.#connection) this.#note(message);
  }

  /** What another tab watches. */
  #note(message: Extract<TabMessage, { kind: "watch" }>): void {
    if (message.entries.length === 0) this.#others.delete(message.tab);
    else this.#others.set(message.tab, message.entries);
    for (const entry of message.entries) {
      const event = this.#people.get(entry);
      if (event) this.#channel?.postMessage({ kind: "event", event } satisfies TabMessage);
    }
    this.#soon();
  }
}
