import type { Presence, PersonAt } from "../wire/live.js";
import type { Move } from "./live-messages.js";
import { documentKey } from "./watch.js";

/** Milliseconds after which a tab that says nothing is forgotten. */
const LIFE = 30_000;
/** Tabs of one account, and of all; a further one takes the place of the one that was silent longest. */
const MOST_OF_ACCOUNT = 30;
const MOST = 20_000;

interface Present extends Omit<Move, "at"> {
  readonly at: Presence;
  readonly until: number;
}

/** Who is where, by the messages of all processes. Kept in memory only. */
export class People {
  /** By account and tab; who said something last is last. */
  readonly #tabs = new Map<string, Present>();
  readonly #byDocument = new Map<string, Set<string>>();

  /** @param now - milliseconds since 1970. */
  constructor(private readonly now: () => number) {}

  /** Takes what a tab says. @returns keys of the documents at which something is another now */
  move({ at, ...who }: Move): readonly string[] {
    const key = `${who.account} ${who.tab}`;
    const known = this.#tabs.get(key);
    const before = known && known.until > this.now() ? known : undefined;
    if (at) this.#makeRoom(who.account, key);
    this.#remove(key);
    if (at) this.#add(key, { ...who, at, until: this.now() + LIFE });
    const isSame = before && at && JSON.stringify([before.at, before.person]) === JSON.stringify([at, who.person]);
    if (isSame) return [];
    return [...new Set([before?.at, at].flatMap((place) => (place ? [documentKey(place.uid, place.documentId)] : [])))];
  }

  /** Forgets who said nothing for too long. @returns keys of the documents that they were at */
  forgetSilent(): readonly string[] {
    const now = this.now();
    const silent = [...this.#tabs].filter(([, { until }]) => until <= now);
    for (const [key] of silent) this.#remove(key);
    return [...new Set(silent.map(([, { at }]) => documentKey(at.uid, at.documentId)))];
  }

  /** Everybody at a document, in the order of their names. */
  at(document: string): readonly PersonAt[] {
    const now = this.now();
    return [...(this.#byDocument.get(document) ?? [])]
      .flatMap((key) => this.#tabs.get(key) ?? [])
      .filter(({ until }) => until > now)
      .map(({ account, tab, person, at: { locale, field } }) => ({ ...person, account, tab, locale, field }))
      .sort((a, b) => (`${a.name} ${a.account} ${a.tab}` < `${b.name} ${b.account} ${b.tab}` ? -1 : 1));
  }

  /** How many tabs are known. */
  get size(): number {
    return this.#tabs.size;
  }

  #makeRoom(account: string, key: string): void {
    if (this.#tabs.has(key)) return;
    const own = [...this.#tabs.keys()].filter((known) => known.startsWith(`${account} `));
    if (own.length >= MOST_OF_ACCOUNT) this.#remove(own[0] ?? "");
    if (this.#tabs.size >= MOST) this.#remove(this.#tabs.keys().next().value ?? "");
  }

  #add(key: string, present: Present): void {
    this.#tabs.set(key, present);
    const document = documentKey(present.at.uid, present.at.documentId);
    this.#byDocument.set(document, (this.#byDocument.get(document) ?? new Set()).add(key));
  }

  #remove(key: string): void {
    const known = this.#tabs.get(key);
    if (!known) return;
    this.#tabs.delete(key);
    const document = documentKey(known.at.uid, known.at.documentId);
    const there = this.#byDocument.get(document);
    there?.delete(key);
    if (there?.size === 0) this.#byDocument.delete(document);
  }
}
