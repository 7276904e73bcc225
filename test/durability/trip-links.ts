/** One of the trips of a run. */
export type Trip = 0 | 1 | 2;
export const TRIPS: readonly Trip[] = [0, 1, 2];

/** Relations that a trip keeps itself: one target or many, shown on the other side or not. */
const KEPT = {
  before: { isMany: false },
  base: { isMany: false, other: "legs" },
  next: { isMany: false, other: "previous" },
  connection: { isMany: false },
  seeAlso: { isMany: true },
  shares: { isMany: true, other: "sharedBy" },
} as const;

/** Relations that the other trip keeps. */
const MIRRORED = { legs: "base", previous: "next", sharedBy: "shares" } as const;

type Kept = keyof typeof KEPT;
type Mirrored = keyof typeof MIRRORED;
export type Relation = Kept | Mirrored;
const KEPT_NAMES = Object.keys(KEPT) as Kept[];
const MIRRORED_NAMES = Object.keys(MIRRORED) as Mirrored[];
export const RELATIONS: readonly Relation[] = [...KEPT_NAMES, ...MIRRORED_NAMES];

export const isMany = (relation: Relation): boolean =>
  relation === "legs" || relation === "sharedBy" || (relation !== "previous" && KEPT[relation].isMany);

/** What a write does to one relation of a trip. */
export interface Change {
  readonly form: "set" | "connect" | "disconnect";
  readonly targets: readonly Trip[];
}

/** One operation on one trip. */
export type Step =
  | { readonly kind: "publish" | "unpublish" | "discardDraft"; readonly trip: Trip }
  | {
      readonly kind: "update";
      readonly trip: Trip;
      readonly publishes: boolean;
      readonly relation: Relation;
      readonly change: Change;
    };

type Links = Record<Kept, Trip[]>;
const noLinks = (): Links => ({ before: [], base: [], next: [], connection: [], seeAlso: [], shares: [] });

interface Versions {
  draft: Links;
  published: Links | undefined;
}

/** What the relations of three trips have to be after any steps, in both versions: the meaning of publishing in memory. */
export class TripLinks {
  readonly #trips: readonly Versions[] = TRIPS.map(() => ({ draft: noLinks(), published: undefined }));

  run(step: Step): void {
    const versions = this.#of(step.trip);
    if (step.kind === "update") this.#write(step.trip, step.relation, step.change);
    if (step.kind === "publish" || (step.kind === "update" && step.publishes))
      this.#copy(step.trip, "draft", "published");
    if (step.kind === "unpublish") versions.published = undefined;
    if (step.kind === "discardDraft" && versions.published) this.#copy(step.trip, "published", "draft");
  }

  /** What a read of a version shows, sorted; undefined when there is no such version. */
  shown(trip: Trip, status: "draft" | "published"): Readonly<Record<string, readonly Trip[]>> | undefined {
    const links = this.#of(trip)[status];
    if (!links) return undefined;
    const isThere = (target: Trip) => this.#of(target)[status] !== undefined;
    const kept = KEPT_NAMES.map((name) => [name, links[name].filter(isThere).sort()] as const);
    const mirrored = MIRRORED_NAMES.map((name) => [name, this.#holders(trip, MIRRORED[name], status)] as const);
    return Object.fromEntries([...kept, ...mirrored]);
  }

  #of(trip: Trip): Versions {
    return this.#trips[trip] as Versions;
  }

  #holders(trip: Trip, relation: Kept, status: "draft" | "published"): Trip[] {
    return TRIPS.filter((holder) => this.#of(holder)[status]?.[relation].includes(trip));
  }

  #write(trip: Trip, relation: Relation, change: Change): void {
    if (!(relation in MIRRORED)) {
      const kept = relation as Kept;
      const targets = changed(this.#of(trip).draft[kept], change, isMany(kept));
      this.#keep(trip, kept, "draft", targets);
      return;
    }
    const kept = MIRRORED[relation as Mirrored];
    const holders = changed(this.#holders(trip, kept, "draft"), change, isMany(relation));
    for (const holder of TRIPS) this.#link(holder, kept, "draft", { target: trip, isLinked: holders.includes(holder) });
  }

  /** A two-way one-to-one has one holder, so the new one takes the target from the others. */
  #keep(trip: Trip, relation: Kept, status: "draft" | "published", targets: Trip[]): void {
    const links = this.#of(trip)[status];
    if (!links) return;
    links[relation] = targets;
    if (relation !== "next") return;
    for (const other of TRIPS.filter((each) => each !== trip)) {
      const theirs = this.#of(other)[status];
      if (theirs) theirs.next = theirs.next.filter((target) => !targets.includes(target));
    }
  }

  #link(holder: Trip, relation: Kept, status: "draft" | "published", link: { target: Trip; isLinked: boolean }): void {
    const links = this.#of(holder)[status];
    if (!links || links[relation].includes(link.target) === link.isLinked) return;
    const others = links[relation].filter((target) => target !== link.target);
    if (!link.isLinked) links[relation] = others;
    else this.#keep(holder, relation, status, KEPT[relation].isMany ? [...others, link.target] : [link.target]);
  }

  /** The other version becomes equal: what the trip keeps, and that it is kept by others. */
  #copy(trip: Trip, from: "draft" | "published", to: "draft" | "published"): void {
    const source = this.#of(trip)[from] as Links;
    this.#of(trip)[to] ??= noLinks();
    for (const relation of KEPT_NAMES) this.#keep(trip, relation, to, [...source[relation]]);
    for (const mirrored of MIRRORED_NAMES) {
      const relation = MIRRORED[mirrored];
      for (const holder of TRIPS.filter((each) => this.#of(each)[from]))
        this.#copyLink(holder, relation, { trip, from, to });
    }
  }

  /** A holder whose draft has moved on to another target follows it, except where that would take it from somebody. */
  #copyLink(
    holder: Trip,
    relation: Kept,
    { trip, from, to }: { trip: Trip; from: "draft" | "published"; to: "draft" | "published" },
  ): void {
    const source = (this.#of(holder)[from] as Links)[relation];
    const isLinked = source.includes(trip);
    const wasLinked = this.#of(holder)[to]?.[relation].includes(trip) ?? false;
    if (relation === "base" && wasLinked && !isLinked) this.#keep(holder, relation, to, [...source]);
    else this.#link(holder, relation, to, { target: trip, isLinked });
  }
}

function changed(current: readonly Trip[], { form, targets }: Change, many: boolean): Trip[] {
  const without = current.filter((target) => !targets.includes(target));
  if (form === "disconnect") return without;
  if (form === "set" || !many) return form === "connect" && targets.length === 0 ? [...current] : [...targets];
  return [...without, ...targets];
}
