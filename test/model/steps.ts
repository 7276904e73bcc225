import fc from "fast-check";
import { type End, endsOf, type Relation, RELATIONS, SLOTS, type Slot, type TypeName } from "./world.js";

/** Where targets go in a list. */
export type Place = { readonly end: "start" | "end" } | { readonly side: "before" | "after"; readonly slot: Slot };

/** What a body says about a relation. */
export type Change =
  | { readonly set: readonly Slot[] }
  | { readonly connect: readonly Slot[]; readonly disconnect: readonly Slot[]; readonly place: Place };

/** A component as a body names it. */
export interface BoxInput {
  readonly label: string;
  readonly topics: readonly Slot[];
  readonly author: Slot | null;
  readonly article: Slot | null;
}

/** What a body says about the single component: cleared, made again, or a change of the one that is there. */
export type BoxChange = null | BoxInput | { readonly label?: string; readonly topics: Change };

/** The body of a create or update. */
export interface Body {
  readonly title?: string | null;
  readonly code?: string;
  readonly box?: BoxChange;
  /** Numbers are items that are there and stay. */
  readonly shelf?: readonly (number | BoxInput)[];
  readonly relations: Readonly<Record<string, Change>>;
}

/** How a step reaches the app. */
export type Door = "code" | "http";

/** A step on a document: it is created if its number is free, else updated in the locale, which starts where it is new. */
export interface WriteStep {
  readonly kind: "write";
  readonly type: TypeName;
  readonly slot: Slot;
  readonly locale: string;
  readonly publishes: boolean;
  readonly body: Body;
  readonly door: Door;
}

/** A step on versions; `*` is all locales. */
export interface VersionStep {
  readonly kind: "publish" | "unpublish" | "discardDraft" | "delete";
  readonly type: TypeName;
  readonly slot: Slot;
  readonly locale: string;
  readonly door: Door;
}

export type Step = WriteStep | VersionStep;

/** Who takes the steps. Whoever writes at once with others does not know the ids of components and the neighbours in a list. */
export interface StepOptions {
  readonly isAlone: boolean;
  /** The relations that bodies write: a few, so that steps come upon what other steps did. */
  readonly relations: readonly Relation[];
}

const slots = fc.constantFrom(...SLOTS);
/** Documents that steps are about; one more often than the others, so that its steps meet. */
const subjects = fc.constantFrom<Slot>(0, 0, 0, 1, 2);
const doors: fc.Arbitrary<Door> = fc.constantFrom("code", "code", "code", "http");
const typesOf = ({ relations }: StepOptions): fc.Arbitrary<TypeName> =>
  fc.constantFrom<TypeName>("article", ...relations.flatMap(({ owner, target }) => [owner, target]));
const locales = fc.constantFrom("en", "en", "en", "fr", "fr", "de");
const words = fc.constantFrom("a", "b", "c", "d");

const ends = fc.record({ end: fc.constantFrom("start" as const, "end" as const, "end" as const) });
const neighbours = fc.record({ side: fc.constantFrom("before" as const, "after" as const), slot: slots });

function changes(isMany: boolean, { isAlone }: StepOptions): fc.Arbitrary<Change> {
  const places: fc.Arbitrary<Place> = isAlone ? fc.oneof(ends, neighbours) : ends;
  const some = (maxLength: number) => fc.uniqueArray(slots, { maxLength });
  const set = fc.record({ set: some(isMany ? 3 : 1) });
  const connect = fc.record({
    connect: some(isMany ? 2 : 1),
    disconnect: some(1),
    place: isMany ? places : fc.constant<Place>({ end: "end" }),
  });
  return fc.oneof(set, connect);
}

const boxes: fc.Arbitrary<BoxInput> = fc.record({
  label: words,
  topics: fc.uniqueArray(slots, { maxLength: 2 }),
  author: fc.option(slots),
  article: fc.option(slots),
});

/** Never both ends of one relation: links of one write to one list have the same place, and their order is open. */
function relationsOf(type: TypeName, options: StepOptions): fc.Arbitrary<Body["relations"]> {
  const ends = endsOf(type).filter(({ relation }) => options.relations.includes(relation));
  if (ends.length === 0) return fc.constant({});
  return fc
    .uniqueArray(fc.constantFrom(...ends), {
      minLength: 1,
      maxLength: 2,
      selector: ({ relation }: End) => relation.name,
    })
    .chain((chosen) => fc.record(Object.fromEntries(chosen.map((end) => [end.name, changes(end.isMany, options)]))));
}

function bodiesOf(type: TypeName, options: StepOptions): fc.Arbitrary<Body> {
  const edited = fc.record({ label: words, topics: changes(true, options) });
  const box = fc.oneof(boxes, fc.constant(null), ...(options.isAlone ? [edited] : []));
  const shelf = fc.uniqueArray(options.isAlone ? fc.oneof(fc.nat(2), boxes) : boxes, { maxLength: 3 });
  const scalars = { title: fc.oneof({ weight: 6, arbitrary: words }, fc.constant(null)), code: words };
  const plain = fc.record({ ...scalars, relations: fc.constant({}) }, { requiredKeys: ["relations"] });
  const inComponents = fc.record({ box, shelf, relations: fc.constant({}) }, { requiredKeys: ["relations"] });
  const linking = fc.record({ title: words, relations: relationsOf(type, options) });
  return fc.oneof(plain, inComponents, { weight: 4, arbitrary: linking });
}

const writes = (options: StepOptions): fc.Arbitrary<WriteStep> =>
  typesOf(options).chain((type) =>
    fc.record({
      kind: fc.constant("write" as const),
      type: fc.constant(type),
      slot: subjects,
      locale: locales,
      publishes: fc.boolean(),
      body: bodiesOf(type, options),
      door: doors,
    }),
  );

const versionSteps = (options: StepOptions): fc.Arbitrary<VersionStep> =>
  fc.record({
    kind: fc.constantFrom("publish", "publish", "publish", "unpublish", "discardDraft", "delete"),
    type: typesOf(options),
    slot: slots,
    locale: fc.constantFrom("en", "en", "fr", "de", "*"),
    door: doors,
  });

const steps = (options: StepOptions): fc.Arbitrary<Step> =>
  fc.oneof({ weight: 5, arbitrary: writes(options) }, { weight: 2, arbitrary: versionSteps(options) });

/** One or several sequences of steps on the same few relations. @param given - how to make them of single steps */
export const sequences = <Sequences>(
  { isAlone }: Pick<StepOptions, "isAlone">,
  given: (step: fc.Arbitrary<Step>) => fc.Arbitrary<Sequences>,
): fc.Arbitrary<Sequences> =>
  fc
    .uniqueArray(fc.constantFrom(...RELATIONS), { minLength: 1, maxLength: 3, selector: ({ name }) => name })
    .chain((relations) => given(steps({ isAlone, relations })));

/** A step as one line, for messages. */
export const stepText = (step: Step): string => JSON.stringify(step);
