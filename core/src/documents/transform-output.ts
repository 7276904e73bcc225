import type { PreparedQuery, Populate, Query, Selection } from "../database/reads/query.js";
import { findStored } from "../schema/find-field.js";
import type { ContentModel, RelationAttribute, Shape } from "../schema/model.js";
import type { Document } from "./documents.js";
import { transformOutput } from "./hooks.js";
import type { Listeners } from "./listeners.js";

/** Runs the output hooks of the types in what a read returns. */
export class OutputTransformer {
  /** Cached, because neither a Query nor the handlers change. */
  readonly #answers = new WeakMap<Query, boolean>();

  constructor(
    private readonly model: ContentModel,
    private readonly listeners: Listeners,
  ) {}

  /** Whether a read can return a type that has an output hook; only then it has to be parsed. */
  appliesTo({ query, asStored = false }: PreparedQuery): boolean {
    const known = this.#answers.get(query);
    if (known !== undefined) return known;
    const answer = [query.type, ...this.#typesOf(this.#shape(query.type), query.selection)].some((uid) =>
      this.#isHooked(uid, asStored),
    );
    this.#answers.set(query, answer);
    return answer;
  }

  /** @param text - what PostgreSQL built. @returns the same with every document transformed. */
  async apply({ query, asStored = false }: PreparedQuery, text: string): Promise<string> {
    const place = { shape: this.#shape(query.type), selection: query.selection };
    return JSON.stringify(await this.#each(JSON.parse(text), (row) => this.#row(row, place, asStored)));
  }

  /** Files are never shown as they are stored: their urls may have to be signed, and a form sends back their ids alone. */
  #isHooked(uid: string, asStored: boolean): boolean {
    return (!asStored || uid === this.model.fileType) && this.listeners.has(transformOutput(uid));
  }

  *#typesOf(shape: Shape | undefined, selection: Selection): Iterable<string> {
    for (const populate of selection.populate) {
      for (const next of this.#places(shape, populate)) {
        if (next.shape && "kind" in next.shape) yield next.shape.uid;
        yield* this.#typesOf(next.shape, next.selection);
      }
    }
  }

  async #row(
    row: Record<string, unknown>,
    { shape, selection, isPart = false }: Place,
    asStored: boolean,
  ): Promise<unknown> {
    const changed = { ...row };
    for (const populate of selection.populate) {
      const name = populate.alias ?? populate.field;
      const places = this.#places(shape, populate);
      if (places.length > 0 && name in changed)
        changed[name] = await this.#each(changed[name], (item) => this.#item(item, places, asStored));
    }
    if (isPart || !shape || !("kind" in shape)) return changed;
    if (!this.#isHooked(shape.uid, asStored)) return changed;
    return await this.listeners.bus.waterfall(transformOutput(shape.uid), changed as unknown as Document, {
      uid: shape.uid,
    });
  }

  /** Items of zones and polymorphic relations say what they are. */
  async #item(item: Record<string, unknown>, places: readonly Place[], asStored: boolean): Promise<unknown> {
    const uid = item["__component"] ?? item["__type"];
    const place = uid === undefined ? places[0] : places.find(({ shape }) => shape?.uid === uid);
    return place ? await this.#row(item, place, asStored) : item;
  }

  #places(shape: Shape | undefined, populate: Populate): readonly Place[] {
    switch (populate.kind) {
      case "count":
        return [];
      case "group":
        return [{ shape, selection: populate.selection, isPart: true }];
      case "zone":
        return populate.items.map(({ component, selection }) => ({
          shape: this.model.components.get(component),
          selection,
        }));
      case "morph":
        return populate.items.map(({ type, selection }) => ({ shape: this.#shape(type), selection }));
      case "component":
        return [
          {
            shape: this.model.components.get(
              (shape?.attributes.get(populate.field) as { component?: string })?.component ?? "",
            ),
            selection: populate.selection,
          },
        ];
      case "relation":
        return [
          {
            shape: this.#shape(this.#targetOf(shape, populate.field)),
            selection: populate.selection,
          },
        ];
    }
  }

  #targetOf(shape: Shape | undefined, field: string): string {
    return (shape && (findStored(shape, field) as RelationAttribute | undefined)?.target) ?? "";
  }

  async #each(value: unknown, change: (row: Record<string, unknown>) => Promise<unknown>): Promise<unknown> {
    if (Array.isArray(value)) return await Promise.all(value.map((item) => this.#each(item, change)));
    return typeof value === "object" && value !== null ? await change(value as Record<string, unknown>) : value;
  }

  #shape(uid: string): Shape | undefined {
    return this.model.contentTypes.get(uid);
  }
}

interface Place {
  readonly shape: Shape | undefined;
  readonly selection: Selection;
  /** An object inside of a document that is not a document itself. */
  readonly isPart?: boolean;
}
