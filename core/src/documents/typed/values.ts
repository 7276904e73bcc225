/** Names and values of the attributes of one shape `S`, a content-type or component as it was generated. */
import type { DeclaredAttribute, DeclaredShape, DeclaredType } from "../../schema/declared-types.js";
import type { ScalarKind } from "../../schema/model.js";

/** Any JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** One block of a `blocks` attribute: `{ type: "paragraph", children: [{ type: "text", text: "..." }] }`. */
export interface Block {
  readonly type: string;
  readonly children: readonly BlockNode[];
  readonly [option: string]: unknown;
}

/** What a block consists of: a text, a link, an item of a list. */
export interface BlockNode {
  readonly type: string;
  readonly text?: string;
  readonly children?: readonly BlockNode[];
  readonly [option: string]: unknown;
}

/** What reads return by kind. @source core/src/schema/README.md#kinds */
interface ReadValues extends Record<Exclude<ScalarKind, "enumeration" | "password">, unknown> {
  string: string;
  text: string;
  richtext: string;
  email: string;
  uid: string;
  date: string;
  time: string;
  datetime: string;
  timestamp: string;
  integer: number;
  /** As text: a JavaScript number cannot hold them all. */
  biginteger: string;
  float: number;
  decimal: number;
  boolean: boolean;
  json: JsonValue;
  blocks: readonly Block[];
}

/** What writes take beyond what reads return. */
interface WrittenValues {
  password: string;
  /** Milliseconds since 1970, or what ISO 8601 says. */
  datetime: string | number | Date;
  timestamp: string | number | Date;
  biginteger: string | number;
  json: unknown;
}

/** The attributes of a shape by name. */
export type AttributesOf<S> = S extends { readonly attributes: infer A } ? A : never;

/** What a relation leads to, or a component consists of. */
export type InnerShape<A> = A extends { readonly component: infer Uid }
  ? DeclaredShape<Uid>
  : A extends { readonly target: infer Uid }
    ? DeclaredShape<Uid>
    : never;

type NamesBy<S, Wanted> = {
  [Name in keyof AttributesOf<S>]: AttributesOf<S>[Name] extends Wanted ? Name : never;
}[keyof AttributesOf<S>] &
  string;

/** Relations, media, components and zones: what is returned only when a read populates it. */
export type PopulatableName<S> = NamesBy<S, { readonly kind: "relation" | "media" | "component" | "dynamiczone" }>;

/** Those of them that filters and paths can go through. */
export type PassableName<S> = NamesBy<S, { readonly target: string } | { readonly component: string }>;

/** What only reads with `withPrivate: true` return. */
export type PrivateName<S> = NamesBy<S, { readonly private: true }>;

/** Scalars that reads return. */
export type ScalarName<S> = NamesBy<S, { readonly kind: Exclude<ScalarKind, "password"> }>;

/** Scalars that can be sorted by. */
export type SortableName<S> =
  | NamesBy<S, { readonly kind: Exclude<ScalarKind, "password" | "json" | "blocks"> }>
  | (keyof SystemFields<S> & string);

/** The fields that every row has, and the `id` of a component, with the kinds that filters compare them by. */
export type SystemFields<S> = S extends DeclaredType
  ? VersionFields & (S["localized"] extends true ? { readonly locale: { readonly kind: "string" } } : unknown)
  : { readonly id: { readonly kind: "id" } };

interface VersionFields {
  readonly id: { readonly kind: "id" };
  readonly documentId: { readonly kind: "string" };
  readonly createdAt: { readonly kind: "datetime" };
  readonly updatedAt: { readonly kind: "datetime" };
  readonly publishedAt: { readonly kind: "datetime" };
}

/** What reads return of a scalar attribute, apart from null. */
export type ReadValue<A> = A extends { readonly kind: "enumeration"; readonly values: infer Value }
  ? Value
  : A extends { readonly kind: infer Kind extends keyof ReadValues }
    ? ReadValues[Kind]
    : never;

/** What a scalar attribute can be set to, apart from null. */
export type WrittenValue<A> = A extends { readonly kind: infer Kind extends keyof WrittenValues }
  ? WrittenValues[Kind]
  : ReadValue<A>;

/** An attribute that cannot be null once it was checked, which publishing does, and every write on types without drafts. */
export type IsRequired<A> = A extends DeclaredAttribute ? (A["required"] extends true ? true : false) : false;
