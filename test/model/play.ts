import type { Document } from "@plinth/core";
import type { Newsroom } from "./newsroom.js";
import type { Names } from "./show.js";
import type { Body, BoxChange, BoxInput, Change, Place, Step, VersionStep, WriteStep } from "./steps.js";
import { BOX_RELATIONS, endsOf, type Name, rowLocale, type Slot, TYPE_NAMES, type TypeName } from "./world.js";

/** What came of a step: when it was written, that there was nothing to do, or that it was refused. */
export type Outcome = { readonly now: number } | "nothing" | "refused";

const ACTIONS = { publish: "publish", unpublish: "unpublish", discardDraft: "discard-draft" } as const;

/** Plays steps in an app, and knows which document has which number. */
export class Player {
  readonly #ids = new Map<string, string>();

  constructor(readonly newsroom: Newsroom) {}

  /** The documents by their ids. */
  names(): Names {
    const all = TYPE_NAMES.flatMap((type) => ([0, 1, 2] as const).map((slot) => ({ type, slot })));
    return new Map(all.flatMap((name) => [this.id(name)].flatMap((id) => (id ? [[id, name] as const] : []))));
  }

  id({ type, slot }: Name): string | undefined {
    return this.#ids.get(`${type}${slot}`);
  }

  /** Frees the number of a document that is gone. */
  release({ type, slot }: Name): void {
    this.#ids.delete(`${type}${slot}`);
  }

  async play(step: Step): Promise<Outcome> {
    try {
      return step.kind === "write" ? await this.#write(step) : await this.#changeVersions(step);
    } catch (error) {
      if ((error as { status?: number }).status === 400) return "refused";
      throw error;
    }
  }

  async #write(step: WriteStep): Promise<Outcome> {
    const { type, locale, publishes, door } = step;
    const documentId = this.id(step);
    const data = await this.#data(step);
    const status = publishes ? "published" : "draft";
    const documents = this.newsroom.documents(type);
    let written: Document | null;
    if (door === "http") {
      const path = `${type}s${documentId ? `/${documentId}` : ""}?status=${status}&locale=${locale}`;
      written = (await this.newsroom.ask(documentId ? "PUT" : "POST", path, data)).data as Document;
    } else {
      const params = { data, status, locale } as const;
      written = documentId ? await documents.update({ documentId, ...params }) : await documents.create(params);
    }
    if (!written) return "nothing";
    this.#ids.set(`${type}${step.slot}`, written.documentId);
    return { now: Date.parse(String(written["updatedAt"])) };
  }

  async #changeVersions(step: VersionStep): Promise<Outcome> {
    const { kind, type, locale, door } = step;
    const documentId = this.id(step);
    if (!documentId || (kind !== "delete" && !this.newsroom.world[type].hasDrafts)) return "nothing";
    if (door === "code") await this.newsroom.documents(type)[kind]({ documentId, locale });
    else if (kind === "delete") await this.newsroom.ask("DELETE", `${type}s/${documentId}?locale=${locale}`);
    else await this.#act(`${type}s/${documentId}/actions/${ACTIONS[kind]}?locale=${locale}`);
    return { now: 0 };
  }

  /** Over HTTP, an action that finds nothing to do is a 404. */
  async #act(path: string): Promise<void> {
    try {
      await this.newsroom.ask("POST", path);
    } catch (error) {
      if ((error as { status?: number }).status !== 404) throw error;
    }
  }

  async #data(step: WriteStep): Promise<Readonly<Record<string, unknown>>> {
    const { title, code, box, shelf, relations } = step.body;
    const ends = endsOf(step.type).filter(({ name }) => name in relations);
    const stored = isEdit(step.body) ? await this.#stored(step) : null;
    const items = (stored?.["shelf"] ?? []) as readonly Document[];
    return {
      ...(title === undefined ? {} : { title }),
      ...(code === undefined ? {} : { code }),
      ...(box === undefined ? {} : { box: this.#box(box, stored?.["box"] as Document | undefined) }),
      ...(shelf && {
        shelf: shelf.map((item) => (typeof item === "number" ? { id: items[item]?.id } : this.#newBox(item))),
      }),
      ...Object.fromEntries(
        ends.map((end) => [end.name, this.#change(end.target, relations[end.name] as Change, end.isMany)]),
      ),
    };
  }

  /** The draft with its components, whose ids the body names; of a new locale, those that it shares. */
  async #stored({ type, slot, locale }: WriteStep): Promise<Document | null> {
    const documentId = this.id({ type, slot });
    const rows = await this.newsroom.documents(type).findMany({
      filters: { documentId },
      locale: "*",
      populate: { box: true, shelf: true },
    });
    const own = rows.find((row) => (row["locale"] ?? "") === rowLocale(this.newsroom.world[type], locale));
    return own ?? rows[0] ?? null;
  }

  #box(box: BoxChange, stored: Document | undefined): unknown {
    if (box === null) return null;
    if ("author" in box) return this.#newBox(box);
    return { ...box, id: stored?.id, topics: this.#change(BOX_RELATIONS.topics, box.topics, true) };
  }

  #newBox({ label, topics, author, article }: BoxInput): object {
    const one = (type: TypeName, slot: Slot | null) => (slot === null ? null : this.id({ type, slot }));
    return {
      label,
      topics: topics.map((slot) => one(BOX_RELATIONS.topics, slot)),
      author: one(BOX_RELATIONS.author, author),
      article: one(BOX_RELATIONS.article, article),
    };
  }

  #change(type: TypeName, change: Change, isMany: boolean): object {
    const one = (slot: Slot) => this.id({ type, slot });
    if ("set" in change) return { set: change.set.map(one) };
    const position = isMany ? { position: placeOf(change.place, one) } : {};
    return {
      connect: change.connect.map((slot) => ({ documentId: one(slot), ...position })),
      disconnect: change.disconnect.map(one),
    };
  }
}

const isEdit = ({ box, shelf }: Body): boolean =>
  (box && !("author" in box)) || (shelf?.some((item) => typeof item === "number") ?? false);

function placeOf(place: Place, one: (slot: Slot) => string | undefined): object {
  return "end" in place ? { [place.end]: true } : { [place.side]: one(place.slot) };
}
