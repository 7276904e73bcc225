/** The content-types of the model: `draft & publish` and locales in every combination, and relations of every kind between them. */
export type TypeName = "article" | "topic" | "author";
export const TYPE_NAMES: readonly TypeName[] = ["article", "topic", "author"];

/** Of each type there are at most three documents at a time, by number. */
export type Slot = 0 | 1 | 2;
export const SLOTS: readonly Slot[] = [0, 1, 2];

/** A document, named by its type and number. */
export interface Name {
  readonly type: TypeName;
  readonly slot: Slot;
}

export const LOCALES = ["en", "fr", "de"] as const;
export const DEFAULT_LOCALE = "en";

/** What a content-type is. */
export interface TypeTraits {
  readonly hasDrafts: boolean;
  readonly isLocalized: boolean;
}

/** The traits of each content-type in one app. */
export type World = Readonly<Record<TypeName, TypeTraits>>;

/** The apps that sequences run in, by what sets them apart. */
export const WORLDS: Readonly<Record<string, World>> = {
  "one type with locales, two with drafts": {
    article: { hasDrafts: true, isLocalized: true },
    topic: { hasDrafts: true, isLocalized: false },
    author: { hasDrafts: false, isLocalized: false },
  },
  "all types with locales, two with drafts": {
    article: { hasDrafts: true, isLocalized: true },
    topic: { hasDrafts: true, isLocalized: true },
    author: { hasDrafts: false, isLocalized: true },
  },
};

/** A relation, seen from the type that keeps its links. */
export interface Relation {
  readonly owner: TypeName;
  readonly name: string;
  readonly target: TypeName;
  /** Whether one document has many. */
  readonly isMany: boolean;
  /** Its name on the target; undefined when it is not shown there. */
  readonly other?: string;
  /** A one-to-one: a target has one holder. */
  readonly isExclusive: boolean;
}

const one = (owner: TypeName, name: string, target: TypeName, other?: string): Relation => ({
  owner,
  name,
  target,
  isMany: false,
  isExclusive: false,
  ...(other === undefined ? {} : { other }),
});
const many = (...given: Parameters<typeof one>): Relation => ({ ...one(...given), isMany: true });
const exclusive = (...given: Parameters<typeof one>): Relation => ({ ...one(...given), isExclusive: true });

export const RELATIONS: readonly Relation[] = [
  many("article", "topics", "topic", "articles"),
  one("article", "main", "topic", "mainOf"),
  exclusive("article", "cover", "topic", "coverOf"),
  one("article", "lead", "author", "leads"),
  exclusive("article", "next", "article", "previous"),
  many("article", "related", "article"),
  many("article", "readers", "author", "reads"),
  one("topic", "feature", "article", "featuredIn"),
  many("topic", "similar", "topic", "similarTo"),
  exclusive("topic", "keeper", "author", "keeps"),
  many("author", "favourites", "topic", "fans"),
  one("author", "muse", "article", "museOf"),
  one("author", "mentor", "author", "pupils"),
];

/** One end of a relation, as an attribute of a type. */
export interface End {
  readonly relation: Relation;
  readonly name: string;
  /** Whether the links are kept on the other side. */
  readonly isInverse: boolean;
  readonly isMany: boolean;
  /** What is at the other end. */
  readonly target: TypeName;
}

/** All relations of a type, from whichever side. */
export function endsOf(type: TypeName): readonly End[] {
  const kept = RELATIONS.filter(({ owner }) => owner === type).map(
    (relation): End => ({
      relation,
      name: relation.name,
      isInverse: false,
      isMany: relation.isMany,
      target: relation.target,
    }),
  );
  const mirrored = RELATIONS.filter(({ target, other }) => target === type && other !== undefined).map(
    (relation): End => ({
      relation,
      name: relation.other ?? "",
      isInverse: true,
      isMany: !relation.isExclusive,
      target: relation.owner,
    }),
  );
  return [...kept, ...mirrored];
}

/** Relations of the component that every type has. */
export const BOX_RELATIONS = { topics: "topic", author: "author", article: "article" } as const;

/** The locale of a type's rows that a request for `locale` is about: `""` on types without locales. */
export const rowLocale = ({ isLocalized }: TypeTraits, locale: string): string => (isLocalized ? locale : "");
