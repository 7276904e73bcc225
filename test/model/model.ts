import {
  type Box,
  type Content,
  dropLink,
  emptyRow,
  linkTo,
  linksOf,
  type Row,
  setLinks,
  type Status,
  type Versions,
} from "./content.js";
import { changeSlots, placeSlots, Refused } from "./lists.js";
import type { Body, BoxInput, Change, Step, VersionStep, WriteStep } from "./steps.js";
import {
  BOX_RELATIONS,
  DEFAULT_LOCALE,
  type End,
  endsOf,
  LOCALES,
  type Relation,
  RELATIONS,
  rowLocale,
  type Slot,
  SLOTS,
  TYPE_NAMES,
  type TypeName,
  type World,
} from "./world.js";

/** One row among the documents. */
export interface At {
  readonly type: TypeName;
  readonly slot: Slot;
  readonly locale: string;
  readonly status: Status;
}

/** What an end of a relation shows. */
export interface Target {
  readonly slot: Slot;
  readonly locale: string;
}

/** What documents, drafts, locales and links have to be after any steps: the meaning of every write, in memory. */
export class Model {
  #documents: Readonly<Record<TypeName, readonly Content[]>>;
  #boxes = 0;

  constructor(readonly world: World) {
    const none = () => SLOTS.map((): Content => new Map());
    this.#documents = { article: none(), topic: none(), author: none() };
  }

  /**
   * @param now - the time of a write, as the document tells it.
   * @throws Refused, and then nothing has changed
   */
  run(step: Step, now: number): void {
    const before = structuredClone(this.#documents);
    try {
      if (step.kind === "write") this.#write(step, now);
      else this.#changeVersions(step);
    } catch (error) {
      this.#documents = before;
      throw error;
    }
  }

  content(type: TypeName, slot: Slot): Content {
    return this.#documents[type][slot] as Content;
  }

  exists = (type: TypeName, slot: Slot): boolean => this.content(type, slot).size > 0;

  /** A version; on types without drafts, the only one. */
  row({ type, slot, locale, status }: At): Row | undefined {
    return this.content(type, slot).get(locale)?.[this.world[type].hasDrafts ? status : "published"];
  }

  /** The version that is written first. */
  main = (type: TypeName): Status => (this.world[type].hasDrafts ? "draft" : "published");

  // Creating and updating

  #write({ type, slot, locale, publishes, body }: WriteStep, now: number): void {
    const at = { type, slot, locale: rowLocale(this.world[type], locale), status: this.main(type) };
    const isNew = this.row(at) === undefined;
    const row = this.row(at) ?? this.#startLocale(at);
    this.#writeValues(row, body);
    for (const end of endsOf(type).filter(({ name }) => name in body.relations)) {
      const change = body.relations[end.name] as Change;
      if (end.isInverse) this.#writeInverse(at, end, { change, locale, now });
      else this.#writeKept(at, end.relation, { change, now });
    }
    const isComplete = type !== "article" || row.title !== null;
    if (isNew && !isComplete && at.status === "published") throw new Refused("It lacks a title.");
    if (body.code !== undefined || body.shelf !== undefined) this.#share(at);
    if (publishes && this.world[type].hasDrafts) this.#publish(at);
  }

  /** A new locale starts with what all locales share. */
  #startLocale(at: At): Row {
    const content = this.content(at.type, at.slot);
    const [other] = [...content.values()].map((versions) => versions[at.status]);
    const row = { ...emptyRow(), code: other?.code ?? null, shelf: other?.shelf ?? [] };
    content.set(at.locale, { [at.status]: row });
    return row;
  }

  #writeValues(row: Row, { title, code, box, shelf }: Body): void {
    if (title !== undefined) row.title = title;
    if (code !== undefined) row.code = code;
    if (box === null) row.box = null;
    else if (box !== undefined && "author" in box) row.box = this.#newBox(box);
    else if (box !== undefined && row.box)
      row.box = { ...row.box, ...box, topics: changeSlots(row.box.topics, box.topics, true) };
    const { shelf: items } = row;
    if (shelf) row.shelf = shelf.map((item) => (typeof item === "number" ? (items[item] as Box) : this.#newBox(item)));
  }

  #newBox(input: BoxInput): Box {
    this.#boxes += 1;
    return { ...input, key: this.#boxes };
  }

  #writeKept(at: At, relation: Relation, { change, now }: { change: Change; now: number }): void {
    const row = this.row(at) as Row;
    const current = linksOf(row, relation.name);
    const wanted = changeSlots(
      current.map(({ target }) => target),
      change,
      relation.isMany,
    );
    const places = placeSlots(
      current.map(({ target, place }) => ({ slot: target, position: place })),
      wanted,
      now,
    );
    if (relation.isExclusive) for (const target of wanted) this.#takeFromOthers(at, relation, target);
    setLinks(
      row,
      relation.name,
      wanted.map((target) => ({
        target,
        place: places.get(target) ?? now,
        inverse: linkTo(row, relation.name, target)?.inverse ?? now,
      })),
    );
  }

  /** A one-to-one has one holder in each version and locale. */
  #takeFromOthers(at: At, relation: Relation, target: Slot): void {
    for (const slot of SLOTS.filter((other) => other !== at.slot)) {
      const other = this.row({ ...at, slot });
      if (other) dropLink(other, relation.name, target);
    }
  }

  /** Written from its other side, a relation changes the rows of those that keep it. */
  #writeInverse(at: At, { relation, isMany }: End, given: { change: Change; locale: string; now: number }): void {
    const { change, now } = given;
    const owner = this.world[relation.owner];
    const locale = rowLocale(owner, this.world[at.type].isLocalized ? at.locale : given.locale);
    const main = this.main(relation.owner);
    // A draft is linked to drafts. What has no drafts is linked to both versions.
    const statuses: Status[] = this.world[at.type].hasDrafts || !owner.hasDrafts ? [main] : ["draft", "published"];
    for (const status of statuses) {
      const keepers = this.#keepers(relation, { locale, status, target: at.slot });
      const wanted = changeSlots(
        keepers.map(({ slot }) => slot),
        change,
        isMany,
        status !== main,
      );
      const rowOf = (slot: Slot) => this.row({ type: relation.owner, slot, locale, status });
      if (status === main && wanted.some((slot) => !rowOf(slot))) throw new Refused("It has no row in this locale.");
      const places = placeSlots(keepers, wanted, now);
      for (const slot of SLOTS) {
        const row = rowOf(slot);
        const inverse = places.get(slot);
        if (row && inverse === undefined) dropLink(row, relation.name, at.slot);
        if (!row || inverse === undefined) continue;
        const place = linkTo(row, relation.name, at.slot)?.place ?? now;
        const others = relation.isMany ? linksOf(row, relation.name).filter(({ target }) => target !== at.slot) : [];
        setLinks(row, relation.name, [...others, { target: at.slot, place, inverse }]);
      }
    }
  }

  /** Who is linked to a document by a relation, in the order of the other side. */
  #keepers(relation: Relation, { locale, status, target }: { locale: string; status: Status; target: Slot }) {
    return SLOTS.flatMap((slot) => {
      const link = linkTo(this.row({ type: relation.owner, slot, locale, status }), relation.name, target);
      return link ? [{ slot, position: link.inverse }] : [];
    }).sort((a, b) => a.position - b.position);
  }

  /** What locales share is the same in the drafts of all, and in their published rows. */
  #share(at: At): void {
    const { code, shelf } = this.row(at) as Row;
    for (const versions of this.content(at.type, at.slot).values()) {
      const row = versions[at.status];
      if (row) Object.assign(row, { code, shelf });
    }
  }

  // Versions

  #changeVersions({ kind, type, slot, locale }: VersionStep): void {
    if (kind !== "delete" && !this.world[type].hasDrafts) return;
    const content = this.content(type, slot);
    const isMeant = (own: string) => locale === "*" || own === rowLocale(this.world[type], locale);
    for (const own of [...content.keys()].filter(isMeant)) {
      const versions = content.get(own) as Versions;
      const at = { type, slot, locale: own };
      if (kind === "publish") this.#publish({ ...at, status: "draft" });
      else if (kind === "discardDraft" && versions.published) this.#copy({ ...at, status: "published" });
      else if (kind === "unpublish") delete versions.published;
      else if (kind === "delete") content.delete(own);
    }
    if (kind === "delete" && content.size === 0) this.#forget({ type, slot });
  }

  #publish(draft: At): void {
    if (draft.type === "article" && this.row(draft)?.title === null) throw new Refused("It lacks a title.");
    this.#copy(draft);
  }

  /** The other version of a row becomes equal to it: what it holds, and what others that have drafts hold of it. */
  #copy(from: At): void {
    const to: At = { ...from, status: from.status === "draft" ? "published" : "draft" };
    const row = { ...(this.row(from) as Row) };
    for (const relation of RELATIONS.filter(({ owner, isExclusive }) => owner === from.type && isExclusive))
      for (const { target } of linksOf(row, relation.name)) this.#takeFromOthers(to, relation, target);
    (this.content(from.type, from.slot).get(from.locale) as Versions)[to.status] = row;
    for (const relation of RELATIONS.filter(({ target, other }) => target === from.type && other))
      if (this.world[relation.owner].hasDrafts) this.#copyKeepers(relation, from, to);
    this.#share(to);
  }

  /** A link between two types with drafts is part of both drafts. */
  #copyKeepers(relation: Relation, from: At, to: At): void {
    const target = from.slot;
    const areBothLocalized = this.world[relation.owner].isLocalized && this.world[from.type].isLocalized;
    const locales = new Set(SLOTS.flatMap((slot) => [...this.content(relation.owner, slot).keys()]));
    for (const locale of locales) {
      if (areBothLocalized && locale !== from.locale) continue;
      const pairs = SLOTS.flatMap((slot) => {
        const source = this.row({ type: relation.owner, slot, locale, status: from.status });
        const copy = this.row({ type: relation.owner, slot, locale, status: to.status });
        return [{ source, copy }];
      });
      const holds = (row: Row | undefined) => linkTo(row, relation.name, target) !== undefined;
      if (relation.isExclusive) {
        for (const { source, copy } of pairs) {
          const isTaken = pairs.some((other) => other.source !== source && holds(other.source));
          if (copy && ((source && !holds(source)) || isTaken)) dropLink(copy, relation.name, target);
        }
      }
      for (const { source, copy } of pairs) {
        if (!source || !copy) continue;
        if (relation.isMany) this.#copyLink(relation, source, copy, target);
        else if (holds(source) || (!relation.isExclusive && holds(copy)))
          setLinks(copy, relation.name, linksOf(source, relation.name));
      }
    }
  }

  #copyLink({ name }: Relation, source: Row, copy: Row, target: Slot): void {
    const link = linkTo(source, name, target);
    dropLink(copy, name, target);
    if (link) setLinks(copy, name, [...linksOf(copy, name), link]);
  }

  /** Nothing leads to a document that is gone. */
  #forget({ type, slot }: Pick<At, "type" | "slot">): void {
    for (const owner of TYPE_NAMES)
      for (const row of SLOTS.flatMap((each) => this.#rowsOf(owner, each))) {
        for (const relation of RELATIONS.filter((each) => each.owner === owner && each.target === type))
          dropLink(row, relation.name, slot);
        row.box = row.box && without(row.box, type, slot);
        row.shelf = row.shelf.map((box) => without(box, type, slot));
      }
  }

  #rowsOf(type: TypeName, slot: Slot): readonly Row[] {
    return [...this.content(type, slot).values()].flatMap(({ draft, published }) =>
      [draft, published].filter((row) => row !== undefined),
    );
  }

  /** The locale in which a row shows what it leads to. */
  shownLocale(holder: TypeName, locale: string, target: TypeName): string {
    return rowLocale(this.world[target], this.world[holder].isLocalized ? locale : DEFAULT_LOCALE);
  }

  /** The documents that an end of a relation shows, in order. A row without a locale shows what links to it in every one. */
  targets(at: At, { relation, isInverse, isMany }: End): readonly Target[] {
    const shown = this.shownLocale(at.type, at.locale, isInverse ? relation.owner : relation.target);
    if (!isInverse) return linksOf(this.row(at), relation.name).map(({ target }) => ({ slot: target, locale: shown }));
    const isOfAll = this.world[relation.owner].isLocalized && !this.world[at.type].isLocalized;
    const keepers = (isOfAll ? [...LOCALES].sort(defaultFirst) : [shown]).flatMap((locale) =>
      this.#keepers(relation, { locale, status: at.status, target: at.slot }).map((keeper) => ({ ...keeper, locale })),
    );
    return isMany ? keepers.sort((a, b) => a.position - b.position) : keepers.slice(0, 1);
  }
}

const defaultFirst = (a: string, b: string): number =>
  Number(b === DEFAULT_LOCALE) - Number(a === DEFAULT_LOCALE) || (a < b ? -1 : 1);

function without(box: Box, type: TypeName, slot: Slot): Box {
  return {
    ...box,
    topics: type === BOX_RELATIONS.topics ? box.topics.filter((topic) => topic !== slot) : box.topics,
    author: type === BOX_RELATIONS.author && box.author === slot ? null : box.author,
    article: type === BOX_RELATIONS.article && box.article === slot ? null : box.article,
  };
}
