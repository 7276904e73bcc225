import { type App, type Document, serviceRef } from "@plinth/core";
import type { Locale } from "./contract.js";
import { LOCALE_TYPE } from "./locale-type.js";

/** The channel for changes of locales between processes. */
export const CHANNEL = "i18n";

/** How long until the next try when the locales could not be read, at first and at most, in milliseconds. */
const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 5_000;

/** Keeps the content model's locales those of the table, whichever process changes them. */
export class LiveLocales {
  #lastRead: Promise<void> = Promise.resolve();
  #leave: (() => void) | undefined;
  #nextTry: NodeJS.Timeout | undefined;
  #pause = FIRST_PAUSE;
  #isOpen = false;

  constructor(private readonly app: App) {}

  /** Subscribes to changes, and uses the current locales. */
  async open(): Promise<void> {
    const readAgain = () => this.#readAgain();
    this.#leave = this.app.db.messages.subscribe(CHANNEL, { onMessage: readAgain, onLost: readAgain });
    const first = this.#use();
    // Its failure goes to the caller only.
    this.#lastRead = first.catch(() => undefined);
    await first;
    this.#isOpen = true;
  }

  /** Whether the table has all locales of the app: before, there are those of the configuration. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Unsubscribes. */
  async close(): Promise<void> {
    this.#leave?.();
    await this.#lastRead;
    clearTimeout(this.#nextTry);
  }

  /** Resolves when the changes received so far are in use. */
  async settled(): Promise<void> {
    await this.#lastRead;
  }

  /** One read after the other, so that the last to end is the last to have begun. */
  #readAgain(): void {
    this.#lastRead = this.#lastRead.then(async () => {
      clearTimeout(this.#nextTry);
      try {
        await this.#use();
        this.#pause = FIRST_PAUSE;
      } catch (err) {
        this.app.log.error(
          { err },
          "The locales changed and could not be read; those known before are used until they can",
        );
        this.#tryLater();
      }
    });
  }

  /** The change is not announced again, so the read is repeated until it succeeds. */
  #tryLater(): void {
    this.#nextTry = setTimeout(() => this.#readAgain(), this.#pause).unref();
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
  }

  async #use(): Promise<void> {
    const locales = await listLocales(this.app);
    const found = locales.find(({ isDefault }) => isDefault);
    if (!found) return;
    const fallbacks = new Map(locales.map(({ code, fallback }) => [code, fallback]));
    this.app.model.useLocales({ defaultLocale: found.code, locales: locales.map(({ code }) => code), fallbacks });
  }
}

/** The plugin's own: what keeps the content model up to date. */
export const liveLocales = serviceRef<LiveLocales>("plugin::i18n.live-locales");

/** All locales, in the order in which they were made. */
export async function listLocales(app: App): Promise<readonly Locale[]> {
  const found = await app.documents(LOCALE_TYPE).findMany({ sort: "id", pagination: { limit: -1 } });
  return found.map(viewOf);
}

/** Named one by one, so that nothing else of the row can get out. */
export function viewOf(document: Document): Locale {
  const { fallback, ...rest } = document as unknown as Locale & { readonly fallback: Locale["fallback"] | null };
  const { id, documentId, code, name, createdAt, updatedAt, publishedAt, isDefault } = rest;
  return { id, documentId, code, name, createdAt, updatedAt, publishedAt, isDefault, fallback: fallback ?? [] };
}
