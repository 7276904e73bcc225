import { setImmediate as nextTurn } from "node:timers/promises";
import { type App, codeOrigin, withOrigin } from "@plinth/core";
import {
  buildErrorAnswer,
  EVENT_STREAM_HEADERS,
  type EndpointAnswer,
  logFault,
  type ReadStreams,
  retryText,
  type StreamedRead,
  tellRefusal,
} from "@plinth/core/http";
import { readStamps } from "@plinth/core/reads";
import type { LiveConfig } from "./config.js";
import { NoRoomForStreamError, NotStreamableError } from "./errors.js";
import { EventStream } from "./event-stream.js";
import { LiveRead, type Member } from "./live-read.js";
import { messageForm } from "./message-form.js";
import { StreamPlaces } from "./stream-places.js";

/** Reads that are made again at the same time. */
const MOST_READS = 4;
/** Bytes that are sent in one turn of the event loop. */
const TURN = 1_000_000;
/** To identify a client takes about as long as to send it so many. */
const CLIENT = 10_000;
/** Milliseconds between two looks at which streams have been silent for too long. */
const BEAT = 1_000;

/**
 * The reads of an app that stay open. All that ask the same and may see the same are one; it is read again when the stamps
 * of its tables have moved, and sent when its text is another one: a client learns no more than by asking again and again.
 */
export class LiveReads implements ReadStreams {
  readonly #app: App;
  readonly #config: LiveConfig;
  readonly #places: StreamPlaces;
  /** Those that further clients may join. */
  readonly #shared = new Map<string, LiveRead>();
  readonly #groups = new Set<LiveRead>();
  /** Those that wait to be read again. */
  readonly #moved = new Set<LiveRead>();
  /** Those that are being read again: never one of `#moved`, so that no older answer comes after a newer one. */
  readonly #reading = new Set<LiveRead>();
  readonly #members = new Set<Member>();
  #look: NodeJS.Timeout | undefined;
  #beat: NodeJS.Timeout | undefined;

  constructor(app: App, config: LiveConfig) {
    this.#app = app;
    this.#config = config;
    this.#places = new StreamPlaces(config);
  }

  /** How many streams there are, and reads for them. */
  get counts(): { readonly streams: number; readonly reads: number } {
    return { streams: this.#members.size, reads: this.#groups.size };
  }

  /**
   * Answers a read by a stream, once it has succeeded.
   *
   * @throws PLINTH_LIVE_NOT_STREAMABLE (406), PLINTH_LIVE_TOO_MANY (429), PLINTH_LIVE_NO_ROOM (503), and what the request
   *   would be answered with
   */
  async open(read: StreamedRead): Promise<EndpointAnswer> {
    if (this.#app.streams.isEnding) throw new NoRoomForStreamError({ why: "the process is about to stop" });
    if (!read.identify) throw new NotStreamableError({ why: "code of the app has a part in the answer" });
    const stream = new EventStream();
    const { form = messageForm } = read;
    const member: Member = { read, form, stream, key: read.key(), group: undefined, hasFailed: false };
    stream.lastId = read.request.headers["last-event-id"]?.toString();
    const leavePlace = this.#places.take(read.request);
    this.#members.add(member);
    const remove = this.#app.streams.add(() => stream.finish(retryText()));
    stream.once("close", () => {
      remove();
      leavePlace();
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
    if (group.first === member) return group.show(member);
    if (group.found?.source.decides) return await this.#joinNew(member, group);
    this.#leave(member);
    await this.#join(member, false);
  }

  /** Shows a client an answer that others have already, once it is as new as that of a request would be. */
  async #joinNew(member: Member, group: LiveRead): Promise<void> {
    try {
      await group.renewals.join(() => this.#renew(group, member));
    } catch (error) {
      this.#leave(member);
      throw error;
    }
    group.show(member);
  }

  /** Reads again where something was written since. The next look shows it to those who were there before. */
  async #renew(group: LiveRead, member: Member): Promise<void> {
    const { found } = group;
    if (!found) return;
    const stamps = await readStamps(this.#app.db, [...found.source.tables]);
    if (found.source.stampOf(stamps) !== found.stamp) await group.readAs(member);
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

  /** For all clients, so not as the one whose request it begins with. */
  #watch(): void {
    withOrigin(codeOrigin, () => {
      this.#look ??= setTimeout(() => void this.#lookForChanges(), this.#config.interval).unref();
      this.#beat ??= setInterval(() => void this.#beatAll(), BEAT).unref();
    });
  }

  async #lookForChanges(): Promise<void> {
    const groups = [...this.#groups].filter(({ found }) => found !== undefined);
    try {
      const tables = new Set(groups.flatMap(({ found }) => found?.source.tables ?? []));
      const stamps = tables.size > 0 ? await readStamps(this.#app.db, [...tables]) : new Map<string, string>();
      for (const group of groups) if (hasMoved(group, stamps)) this.#move(group);
      this.#readMoved();
    } catch (error) {
      logFault(this.#app.log, error, {}, "It is not known what was written: streams wait");
    }
    this.#look = undefined;
    if (this.#members.size > 0) this.#watch();
  }

  /** Has a read made again. What is written while it is made is found by the look after it. */
  #move(group: LiveRead): void {
    if (!this.#reading.has(group)) this.#moved.add(group);
  }

  #readMoved(): void {
    for (const group of this.#moved) {
      if (this.#reading.size >= MOST_READS) return;
      this.#moved.delete(group);
      this.#reading.add(group);
      void this.#readAgain(group).finally(() => {
        this.#reading.delete(group);
        this.#readMoved();
      });
    }
  }

  /** A read that fails for a fault of ours is left: what made it move, a write or the time, is found again. */
  async #readAgain(group: LiveRead): Promise<void> {
    const reader = await this.#readerOf(group);
    if (!reader) return;
    try {
      await group.readAs(reader);
      if (group.found?.id === group.shownId) return;
      group.shownId = group.found?.id;
    } catch (error) {
      if (isFault(error)) logFault(this.#app.log, error, {}, "A stream could not be brought up to date");
      else for (const member of [...group.members]) endWith(this.#app, member, error);
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
      const isIn = await this.#identify(member, group);
      member.hasFailed = false;
      return isIn;
    } catch (error) {
      if (isFault(error)) this.#noteFault(member, error);
      else endWith(this.#app, member, error);
      return false;
    }
  }

  /** @throws as `open` */
  async #identify(member: Member, group: LiveRead | undefined): Promise<boolean> {
    await member.read.identify?.();
    const key = member.read.key();
    if (group && key === member.key) return member.group === group;
    this.#leave(member);
    member.key = key;
    await this.#join(member);
    return false;
  }

  /** Once for a client, until it is known again: while its read waits to be made again, each look asks. */
  #noteFault(member: Member, error: unknown): void {
    if (!member.hasFailed) logFault(this.#app.log, error, {}, "It is not known what a stream may show");
    member.hasFailed = true;
  }

  async #beatAll(): Promise<void> {
    const due = performance.now() - this.#config.heartbeat;
    const silent = [...this.#members].filter(({ stream, group }) => stream.sentAt <= due && (!group || group.found));
    for (const { stream } of silent) stream.beat();
    await this.#inTurns(silent, async (member) => {
      const { group } = member;
      // What depends on the time may be another one although nothing was written. Its caller is identified for that.
      if (group && member.key === undefined) this.#move(group);
      // Who was not known while the database was away has missed something.
      else if (await this.#isIn(member, group)) group?.show(member);
    });
    this.#readMoved();
    if (this.#members.size > 0) return;
    clearInterval(this.#beat);
    this.#beat = undefined;
  }

  async #inTurns(members: readonly Member[], work: (member: Member) => Promise<void>): Promise<void> {
    let spent = 0;
    for (const member of members) {
      const before = member.stream.sentBytes;
      await work(member);
      spent += CLIENT + member.stream.sentBytes - before;
      if (spent < TURN) continue;
      await nextTurn();
      spent = 0;
    }
  }
}

/** Whether something was written since the answer, or it was made for those who came later and others have not seen it. */
const hasMoved = ({ found, shownId }: LiveRead, stamps: ReadonlyMap<string, string>): boolean =>
  found !== undefined && (found.source.stampOf(stamps) !== found.stamp || found.id !== shownId);

const isFault = (error: unknown): boolean => buildErrorAnswer(error).status >= 500;

/** Ends a stream as a request would be answered now; a refusal is one here as well. */
function endWith(app: App, { read, form, stream }: Member, error: unknown): void {
  const body = buildErrorAnswer(error).body.error;
  tellRefusal(app, read.request, { error, body });
  stream.finish(form.end(body));
}
