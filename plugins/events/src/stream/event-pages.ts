import type { Ability, App } from "@plinth/core";
import { eventText } from "@plinth/core/http";
import type { Event } from "../contract.js";
import { isOfWrite } from "../outbox.js";
import type { SealedPlaces } from "./sealed-places.js";
import { type OfDocument, type ShownEvent, visibleEvents } from "./visible-events.js";

/** A client who takes a page. */
export interface Taker {
  readonly wants: (event: Event) => boolean;
  readonly identify: () => Promise<Ability>;
  /** The last event that it has seen. */
  readonly place: number;
}

/** Events of one content-type that a caller may see, by their ids, as text. */
type Texts = ReadonlyMap<number, string>;

/** Makes the texts of pages of events. */
export class EventPages {
  constructor(
    private readonly app: App,
    private readonly places: SealedPlaces,
    private readonly isOwnShown: (type: string) => boolean,
  ) {}

  /**
   * Opens a page. Its events are looked at when the first client wants them, and once for all clients who may see the same.
   *
   * @returns the text of it for one client; who wants nothing of it is not identified
   */
  open(events: readonly Event[]): (taker: Taker) => Promise<string> {
    const shown = events.filter((event): event is OfDocument => this.#isOfStreams(event));
    const known = new Map<string, Promise<Texts>>();
    const textsOf = (ability: Ability, uid: string): Promise<Texts> => {
      // Rules with values that change with time are each caller's own.
      const key = ability.values === undefined ? undefined : JSON.stringify([ability.key, ability.values, uid]);
      const texts = (key === undefined ? undefined : known.get(key)) ?? this.#textsOf(ability, uid, shown);
      if (key !== undefined) known.set(key, texts);
      return texts;
    };
    return async ({ wants, identify, place }) => {
      const wanted = shown.filter((event) => event.id > place && wants(event));
      if (wanted.length === 0) return "";
      const ability = await identify();
      let text = "";
      for (const { id, uid } of wanted) text += (await textsOf(ability, uid)).get(id) ?? "";
      return text;
    };
  }

  /** Events of documents; of those that code publishes the ones that the configuration names. */
  #isOfStreams({ uid, documentId, type }: Event): boolean {
    const contentType = uid === null ? undefined : this.app.model.contentTypes.get(uid);
    if (!contentType || documentId === null) return false;
    return isOfWrite(this.app.model, contentType, type) || this.isOwnShown(type);
  }

  async #textsOf(ability: Ability, uid: string, events: readonly OfDocument[]): Promise<Texts> {
    const type = this.app.model.contentTypes.get(uid);
    const own = events.filter((event) => event.uid === uid);
    const visible = type
      ? await visibleEvents({ app: this.app, ability, type, events: own })
      : new Map<number, ShownEvent>();
    return new Map([...visible].map(([id, event]) => [id, this.#textOf(id, event)]));
  }

  #textOf(id: number, event: ShownEvent): string {
    return eventText({ id: this.places.seal({ id, at: Date.parse(event.at) }), data: JSON.stringify(event) });
  }
}
