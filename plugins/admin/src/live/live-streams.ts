import { type Ability, type App, codeOrigin, type ServiceRef, serviceRef, withOrigin } from "@plinth/core";
import { eventText, logFault, retryText } from "@plinth/core/http";
import type { KnownSession } from "../access/known-sessions.js";
import { sessions } from "../access/sessions.js";
import type { AdminConfig } from "../config.js";
import { modelViews } from "../model/model-views.js";
import type { DocumentChange, Hello, PeopleAt } from "../wire/live.js";
import { AuthorNames } from "./author-names.js";
import { NoRoomForEventsError } from "./errors.js";
import { type Change, LiveMessages, type Move } from "./live-messages.js";
import { LiveSight } from "./live-sight.js";
import { People } from "./people.js";
import { StreamBody } from "./stream-body.js";
import { documentKey, isWatched, type Watch } from "./watch.js";

/** Milliseconds for which news are collected, so that many writes are looked at together. */
const PAUSE = 100;
/** Milliseconds between two looks at who has been silent, and which streams have. */
const TICK = 2_500;
const SECOND = 1_000;

/** A browser that listens. */
interface Stream {
  /** Hash of its session's handle. */
  readonly handle: string;
  readonly account: string;
  readonly watch: Watch;
  readonly body: StreamBody;
  /** By document: the last `people` event. */
  readonly told: Map<string, string>;
}

/** Streams that may get the same. */
interface Group {
  readonly sight: LiveSight;
  readonly streams: readonly Stream[];
}

/** Something that streams have not been told yet. */
interface News {
  changes: Change[];
  /** Keys of documents at which somebody came, moved or left. */
  readonly documents: Set<string>;
  isLost: boolean;
}

const noNews = (): News => ({ changes: [], documents: new Set(), isLost: false });

/**
 * Sends writes and presence to the browsers that have the page open. Nothing runs, and nothing is sent, while
 * no process has a stream.
 */
export class LiveStreams {
  readonly #streams = new Set<Stream>();
  readonly #people: People;
  readonly #messages: LiveMessages;
  readonly #names: AuthorNames;
  readonly #sights = new Map<string, LiveSight>();
  #news = noNews();
  #timer: NodeJS.Timeout | undefined;
  #isTelling = false;
  #tick: NodeJS.Timeout | undefined;
  #stopHearing: (() => void) | undefined;

  constructor(
    private readonly app: App,
    private readonly config: AdminConfig["live"],
  ) {
    this.#people = new People(() => app.clock.now());
    this.#names = new AuthorNames(app);
    this.#messages = new LiveMessages(app, {
      changed: (changes) => this.#add((news) => void news.changes.push(...changes)),
      moved: (move) => this.#noteMoves(this.#people.move(move)),
      lost: () => {
        this.#news.isLost = true;
        this.#add(() => undefined);
      },
    });
  }

  /** Starts to receive messages of other processes. */
  listen(): void {
    this.#messages.open();
  }

  /** Ends all streams. */
  close(): void {
    this.#messages.close();
    for (const { body } of this.#streams) body.destroy();
    this.#rest();
    clearTimeout(this.#timer);
  }

  /** Whether a write has to be sent, because a process has a stream. */
  get isHeard(): boolean {
    return this.#messages.isHeard;
  }

  /** How many streams there are, and tabs whose place is known. */
  get counts(): { readonly streams: number; readonly tabs: number } {
    return { streams: this.#streams.size, tabs: this.#people.size };
  }

  /** Sends writes to all processes, after their commit. */
  tell(changes: readonly Change[]): void {
    this.#messages.tell(changes);
  }

  /** Takes where a tab is. */
  move(move: Move): void {
    this.#messages.move(move);
  }

  /** Whether somebody with an ability may see a document. */
  async sees(ability: Ability, uid: string, documentId: string): Promise<boolean> {
    return (await new LiveSight(this.app, ability).documents(uid, [documentId])).has(documentId);
  }

  /** Opens a stream. @throws PLINTH_ADMIN_NO_ROOM_FOR_EVENTS (503) */
  open({ handle, account: { documentId: account } }: KnownSession, watch: Watch): StreamBody {
    this.#assertRoom(account);
    const body = new StreamBody();
    const stream: Stream = { handle, account, watch, body, told: new Map() };
    this.#streams.add(stream);
    const remove = this.app.streams.add(() => body.finish(retryText()));
    body.once("close", () => {
      remove();
      this.#streams.delete(stream);
      if (this.#streams.size === 0) this.#rest();
    });
    const hello: Hello = { modelVersion: this.app.service(modelViews).version };
    body.send(eventText({ event: "hello", data: JSON.stringify(hello) }));
    this.#begin();
    this.#noteMoves([...watch.documents]);
    return body;
  }

  #assertRoom(account: string): void {
    const { streams, streamsOfAccount } = this.config;
    const own = [...this.#streams].filter((stream) => stream.account === account).length;
    if (this.app.streams.isEnding) throw new NoRoomForEventsError({ why: "the process is about to stop" });
    if (this.#streams.size >= streams) throw new NoRoomForEventsError({ why: `${streams} are open` });
    if (own >= streamsOfAccount) throw new NoRoomForEventsError({ why: `the account has ${streamsOfAccount}` });
  }

  #begin(): void {
    this.#messages.listen(true);
    this.#tick ??= withOrigin(codeOrigin, () => setInterval(() => this.#look(), TICK).unref());
    this.#stopHearing ??= this.app.service(sessions).onChange(() => {
      this.#names.forget();
      void this.#dropEnded();
    });
  }

  #rest(): void {
    this.#messages.listen(false);
    clearInterval(this.#tick);
    this.#tick = undefined;
    this.#stopHearing?.();
    this.#stopHearing = undefined;
    this.#sights.clear();
    this.#news = noNews();
  }

  #look(): void {
    this.#messages.listen(true);
    this.#noteMoves(this.#people.forgetSilent());
    const due = performance.now() - this.config.heartbeat * SECOND;
    for (const { body } of this.#streams) if (body.sentAt <= due) body.send(HEARTBEAT);
    void this.#dropEnded();
  }

  #noteMoves(documents: readonly string[]): void {
    if (documents.length === 0) return;
    this.#add((news) => {
      for (const document of documents) news.documents.add(document);
    });
  }

  #add(change: (news: News) => void): void {
    if (this.#streams.size === 0) return;
    change(this.#news);
    this.#soon();
  }

  #soon(): void {
    if (this.#isTelling) return;
    // For all who listen, so not as the caller whose write they get to know.
    this.#timer ??= withOrigin(codeOrigin, () =>
      setTimeout(() => {
        this.#timer = undefined;
        void this.#tellAll();
      }, PAUSE).unref(),
    );
  }

  async #tellAll(): Promise<void> {
    const news = this.#news;
    this.#news = noNews();
    this.#isTelling = true;
    try {
      const groups = await this.#groups();
      if (news.isLost) this.#sendLost(groups.flatMap(({ streams }) => streams));
      for (const group of groups) await this.#tellGroup(group, news);
    } catch (error) {
      logFault(this.app.log, error, {}, "The page could not be told what was written, or who is where");
      this.#sendLost([...this.#streams]);
    } finally {
      this.#isTelling = false;
    }
    const { changes, documents, isLost } = this.#news;
    if (changes.length > 0 || documents.size > 0 || isLost) this.#soon();
  }

  /** The page reads again what it shows. */
  #sendLost(streams: readonly Stream[]): void {
    for (const { body } of streams) body.send(eventText({ event: "lost", data: "{}" }));
  }

  async #tellGroup({ sight, streams }: Group, { changes, documents }: News): Promise<void> {
    const wanted = changes.filter(({ uid, documentId }) =>
      streams.some(({ watch }) => isWatched(watch, uid, documentId)),
    );
    for (const [uid, own] of byUid(wanted)) {
      const told = await sight.told(uid, own);
      const names = await this.#names.of(told.flatMap(({ change: { by }, isGone }) => (by && !isGone ? [by] : [])));
      for (const { change, isGone } of told) {
        const { documentId, locale, action, by, at } = change;
        const event: DocumentChange = {
          ...{ uid, documentId, locale: locale === "" ? null : locale, action: isGone ? "delete" : action },
          who: isGone ? null : (names.get(by ?? "") ?? null),
          at: new Date(at).toISOString(),
        };
        const text = eventText({ event: "change", data: JSON.stringify(event) });
        for (const { watch, body } of streams) if (isWatched(watch, uid, documentId)) body.send(text);
      }
    }
    const about = [...documents].filter((key) => streams.some(({ watch }) => watch.documents.has(key)));
    await this.#tellPeople({ sight, streams }, about);
  }

  async #tellPeople({ sight, streams }: Group, documents: readonly string[]): Promise<void> {
    const named = documents.map((key) => {
      const [uid = "", documentId = ""] = key.split(" ");
      return { uid, documentId };
    });
    for (const [uid, own] of byUid(named)) {
      const sees = await sight.locales(
        uid,
        own.map(({ documentId }) => documentId),
      );
      for (const { documentId } of own) {
        const key = documentKey(uid, documentId);
        const people = this.#people
          .at(key)
          .filter(({ locale }) => sees(documentId, locale ?? ""))
          .map(({ field, ...who }) => ({ ...who, field: field && sight.seesField(uid, field) ? field : null }));
        const event: PeopleAt = { uid, documentId, people };
        sendPeople(streams, key, JSON.stringify(event));
      }
    }
  }

  /** Streams by what they may get. Ends those whose session has ended. */
  async #groups(): Promise<readonly Group[]> {
    const groups = new Map<string, { readonly sight: LiveSight; readonly streams: Stream[] }>();
    for (const stream of [...this.#streams]) {
      const session = await this.app.service(sessions).findOpen(stream.handle);
      if (!session) {
        endStream(stream);
        continue;
      }
      const { key, values } = session.ability;
      // An ability that changes with time is not shared.
      const name = JSON.stringify(values === undefined ? [key, null, stream.handle] : [key, values]);
      const sight = this.#sights.get(name) ?? new LiveSight(this.app, session.ability);
      this.#sights.set(name, sight);
      const group = groups.get(name) ?? { sight, streams: [] };
      groups.set(name, group);
      group.streams.push(stream);
    }
    for (const name of this.#sights.keys()) if (!groups.has(name)) this.#sights.delete(name);
    return [...groups.values()];
  }

  async #dropEnded(): Promise<void> {
    try {
      for (const stream of [...this.#streams])
        if (!(await this.app.service(sessions).findOpen(stream.handle))) endStream(stream);
    } catch (error) {
      logFault(this.app.log, error, {}, "It is not known which sessions are still open: their streams wait");
    }
  }
}

/** What keeps a stream alive: a comment, which clients do not see. */
const HEARTBEAT = ":\n\n";

/** The page finds out why, by its next request. */
const endStream = ({ body }: Stream): void => body.finish(eventText({ event: "end", data: "{}" }));

/** Sends who is at a document, where the last event said something else. The first event can be an empty list, also for hidden documents. */
function sendPeople(streams: readonly Stream[], key: string, data: string): void {
  for (const { watch, told, body } of streams) {
    if (!watch.documents.has(key) || told.get(key) === data) continue;
    told.set(key, data);
    body.send(eventText({ event: "people", data }));
  }
}

function byUid<T extends { readonly uid: string }>(items: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(item.uid, [...(groups.get(item.uid) ?? []), item]);
  return groups;
}

/** The plugin's own: routes and hooks ask it. */
export const liveStreams: ServiceRef<LiveStreams> = serviceRef<LiveStreams>("plugin::admin.live-streams");
