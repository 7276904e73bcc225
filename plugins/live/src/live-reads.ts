import { setImmediate as nextTurn } from "node:timers/promises";
import type { App } from "@plinth/core";
import {
  buildErrorAnswer,
  EVENT_STREAM_HEADERS,
  type EndpointAnswer,
  logFault,
  type ReadStreams,
  retryText,
  type StreamedRead,
} from "@plinth/core/http";
import { readStamps } from "@plinth/core/reads";
import type { LiveConfig } from "./config.js";
import { NoRoomForStreamError, NotStreamableError } from "./errors.js";
import { EventStream } from "./event-stream.js";
import { LiveRead, type Member } from "./live-read.js";
import { messageForm } from "./message-form.js";

/** Reads that are made again at the same time. */
const MOST_READS = 4;
/** Clients that are identified in one turn of the event loop. */
const TURN = 100;
/** Milliseconds between two looks at which streams have been silent for too long. */
const BEAT = 1_000;

/**
 * The reads of an app that stay open. All that ask the same and may see the same are one; it is read again when the stamps
 * of its tables have moved, and sent when its text is another one: a client learns no more than by asking again and again.
 */
export class LiveReads implements ReadStreams {
  readonly #app: App;
  readonly #config: LiveConfig;
  /** Those that further clients may join. */
  readonly #shared = new Map<string, LiveRead>();
  readonly #groups = new Set<LiveRead>();
  readonly #moved = new Set<LiveRead>();
  readonly #members = new Set<Member>();
  #reading = 0;
  #look: NodeJS.Timeout | undefined;
  #beat: NodeJS.Timeout | undefined;

  constructor(app: App, config: LiveConfig) {
    this.#app = app;
    this.#config = config;
  }

  /** How many streams there are, and reads for them. */
  get counts(): { readonly streams: number; readonly reads: number } {
    return { streams: this.#members.size, reads: this.#groups.size };
  }

  /**
   * Answers a read by a stream, once it has succeeded.
   *
   * @throws PLINTH_LIVE_NOT_STREAMABLE (406), PLINTH_LIVE_NO_ROOM (503), and what the request would be answered with
   */
  async open(read: StreamedRead): Promise<EndpointAnswer> {
    this.#assertRoom();
    if (!read.identify) throw new NotStreamableError({ why: "code of the app has a part in the answer" });
    const stream = new EventStream();
    const member: Member = { read: { form: messageForm, ...read }, stream, key: read.key(), group: undefined };
    stream.lastId = read.request.headers["last-event-id"]?.toString();
    this.#members.add(member);
    const remove = this.#app.streams.add(() => stream.finish(retryText()));
    stream.once("close", () => {
      remove();
      this.#members.delete(member);
      this.#leave(member);
    });
    try {
      await this.#join(member);
    } catch (error) {
      stream.destroy();
      throw error;
    }
    stream.beat();
    this.#watch();
    return { status: 200, headers: EVENT_STREAM_HEADERS, body: stream };
  }

  /** Ends all. */
  stop(): void {
    clearTimeout(this.#look);
    clearInterval(this.#beat);
    for (const { stream } of this.#members) stream.destroy();
  }

  #assertRoom(): void {
    const { maxStreams } = this.#config;
    if (this.#app.streams.isEnding) throw new NoRoomForStreamError({ why: "the process is about to stop" });
    if (this.#members.size >= maxStreams) throw new NoRoomForStreamError({ why: `${maxStreams} are open` });
  }

  /** Shows a client that is still there the answer that it gets from now on. @throws as `open` */
  async #join(member: Member, mayShare = true): Promise<void> {
    if (!this.#members.has(member)) return;
    const key = mayShare ? member.key : undefined;
    const group = (key === undefined ? undefined : this.#shared.get(key)) ?? new LiveRead(member, key);
    if (key !== undefined) this.#shared.set(key, group);
    this.#groups.add(group);
    group.members.add(member);
    member.group = group;
    try {
      await group.begun;
    } catch (error) {
      this.#leave(member);
      throw error;
    }
    if (group.found?.source.decides || group.first === member) return group.show(member);
    this.#leave(member);
    await this.#join(member, false);
  }

  #leave(member: Member): void {
    const { group } = member;
    if (!group) return;
    member.group = undefined;
    group.members.delete(member);
    if (group.members.size > 0) return;
    this.#groups.delete(group);
    this.#moved.delete(group);
    if (group.key !== undefined && this.#shared.get(group.key) === group) this.#shared.delete(group.key);
  }

  #watch(): void {
    this.#look ??= setTimeout(() => void this.#lookForChanges(), this.#config.interval).unref();
    this.#beat ??= setInterval(() => void this.#beatAll(), BEAT).unref();
  }

  async #lookForChanges(): Promise<void> {
    const groups = [...this.#groups].filter(({ found }) => found !== undefined);
    try {
      const tables = new Set(groups.flatMap(({ found }) => found?.source.tables ?? []));
      const stamps = tables.size > 0 ? await readStamps(this.#app.db, [...tables]) : new Map<string, string>();
      for (const group of groups)
        if (group.found && group.found.source.stampOf(stamps) !== group.found.stamp) this.#moved.add(group);
      this.#readMoved();
    } catch (error) {
      logFault(this.#app.log, error, {}, "It is not known what was written: streams wait");
    }
    this.#look = undefined;
    if (this.#members.size > 0) this.#watch();
  }

  #readMoved(): void {
    for (const group of this.#moved) {
      if (this.#reading >= MOST_READS) return;
      this.#moved.delete(group);
      this.#reading += 1;
      void this.#readAgain(group).finally(() => {
        this.#reading -= 1;
        this.#readMoved();
      });
    }
  }

  /** A read that fails for a fault of ours is left: the next look finds that its tables have moved. */
  async #readAgain(group: LiveRead): Promise<void> {
    const reader = await this.#readerOf(group);
    if (!reader) return;
    try {
      const last = group.found;
      group.found = await group.readAs(reader);
      if (group.found.id === last?.id) return;
    } catch (error) {
      if (isFault(error)) logFault(this.#app.log, error, {}, "A stream could not be brought up to date");
      else for (const member of [...group.members]) endWith(member, error);
      return;
    }
    group.show(reader);
    await this.#inTurns([...group.members], async (member) => {
      if (member !== reader && (await this.#isIn(member, group))) group.show(member);
    });
  }

  /** A client of a read who may still see what it shows. */
  async #readerOf(group: LiveRead): Promise<Member | undefined> {
    for (const member of [...group.members]) if (await this.#isIn(member, group)) return member;
    return undefined;
  }

  /**
   * Whether a client still sees what a read shows. One who sees something else by now is shown that, or told to go.
   *
   * @param group - undefined for a client whose last read failed for a fault of ours: it is tried again.
   */
  async #isIn(member: Member, group: LiveRead | undefined): Promise<boolean> {
    try {
      await member.read.identify?.();
      const key = member.read.key();
      if (group && key === member.key) return member.group === group;
      this.#leave(member);
      member.key = key;
      await this.#join(member);
    } catch (error) {
      if (!isFault(error)) endWith(member, error);
    }
    return false;
  }

  async #beatAll(): Promise<void> {
    const due = performance.now() - this.#config.heartbeat;
    const silent = [...this.#members].filter(({ stream, group }) => stream.sentAt <= due && (!group || group.found));
    for (const { stream } of silent) stream.beat();
    await this.#inTurns(silent, async (member) => {
      const { group } = member;
      // Who was not known while the database was away has missed something.
      if (await this.#isIn(member, group)) group?.show(member);
    });
    if (this.#members.size > 0) return;
    clearInterval(this.#beat);
    this.#beat = undefined;
  }

  async #inTurns(members: readonly Member[], work: (member: Member) => Promise<void>): Promise<void> {
    for (const [index, member] of members.entries()) {
      if (index % TURN === TURN - 1) await nextTurn();
      await work(member);
    }
  }
}

const isFault = (error: unknown): boolean => buildErrorAnswer(error).status >= 500;

function endWith({ read, stream }: Member, error: unknown): void {
  stream.finish((read.form ?? messageForm).end(buildErrorAnswer(error).body.error));
}
