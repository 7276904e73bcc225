import type { ContentTypeUid, DeclaredShape } from "../../schema/declared-types.js";
import type { ShapeFilters } from "./filters.js";
import type {
  AttributesOf,
  InnerShape,
  PassableName,
  PopulatableName,
  ScalarName,
  SortableName,
  SystemFields,
} from "./values.js";

type Direction = "asc" | "desc";

type AttributeOf<S, Name> = AttributesOf<S>[Name & keyof AttributesOf<S>];

/** Names of what is returned without populate. */
export type FieldName<S> = ScalarName<S> | (keyof SystemFields<S> & string);

/** `"*"`, a name, or a list of names; `id` and `documentId` always come along. */
export type ShapeFields<S> = "*" | FieldName<S> | readonly ("*" | FieldName<S>)[];

/** `name` and, through one relation or component, `author.name`; longer ways are written as objects. */
type SortPath<S> =
  | SortableName<S>
  | { [Name in PassableName<S>]: `${Name}.${SortableName<InnerShape<AttributeOf<S, Name>>>}` }[PassableName<S>];

type SortText<S> = SortPath<S> | `${SortPath<S>}:${Direction}`;

type SortTree<S> = { readonly [Name in SortableName<S>]?: Direction } & {
  readonly [Name in PassableName<S>]?: SortTree<InnerShape<AttributeOf<S, Name>>>;
};

/** `"title"`, `"title:desc"`, `{ author: { name: "asc" } }`, or a list of these. */
export type ShapeSort<S> = SortText<S> | SortTree<S> | readonly (SortText<S> | SortTree<S>)[];

/** `author` and, one level further, `author.picture`; longer ways are written as objects. */
type PopulateName<S> =
  | PopulatableName<S>
  | { [Name in PassableName<S>]: `${Name}.${PopulatableName<InnerShape<AttributeOf<S, Name>>>}` }[PassableName<S>];

/** What is populated: `"*"`, names, or an object that says what of each. */
export type ShapePopulate<S> =
  | "*"
  | PopulateName<S>
  | readonly ("*" | PopulateName<S>)[]
  | { readonly [Name in PopulatableName<S>]?: Ask<AttributeOf<S, Name>> };

/** The options of one populated attribute. */
type Ask<A> =
  | boolean
  | "*"
  | (A extends { readonly components: infer Uid extends string }
      ? ByUid<Uid>
      : A extends { readonly component: string }
        ? AskOptions<InnerShape<A>>
        : A extends { readonly target: string }
          ? AskOptions<InnerShape<A>> & { readonly count?: boolean }
          : ByUid<ContentTypeUid>);

interface AskOptions<S> extends Selected<S> {
  readonly filters?: ShapeFilters<S>;
  readonly sort?: ShapeSort<S>;
}

/** What is returned of a shape. */
interface Selected<S> {
  readonly fields?: ShapeFields<S>;
  readonly populate?: ShapePopulate<S>;
}

/** Zones, and relations to any type: what is asked of each component or type, by uid. */
interface ByUid<Uid extends string> {
  readonly on?: { readonly [U in Uid]?: boolean | "*" | AskOptions<DeclaredShape<U>> };
  readonly populate?: "*";
}

/** The type in place of an unknown name; nothing can be assigned to it. */
export interface UnknownName<Name> {
  readonly [UNKNOWN]: Name;
}

declare const UNKNOWN: unique symbol;

/**
 * What `Given` has to be so that no object in it has a key that does not exist there: the compiler looks for such keys by
 * itself only where nothing is inferred.
 */
export type StrictPopulate<S, Given> = Given extends string | readonly unknown[]
  ? Given
  : {
      readonly [Name in keyof Given]: Name extends PopulatableName<S>
        ? StrictAsk<AttributeOf<S, Name>, Given[Name]>
        : UnknownName<Name>;
    };

type StrictAsk<A, Given> = Given extends object
  ? A extends { readonly component: string } | { readonly target: string }
    ? StrictOptions<InnerShape<A>, Given, A extends { readonly target: string } ? "count" : never>
    : {
        readonly [Key in keyof Given]: Key extends "on"
          ? StrictOn<A extends { readonly components: infer Uid } ? Uid : ContentTypeUid, Given[Key]>
          : Key extends "populate"
            ? Given[Key]
            : UnknownName<Key>;
      }
  : Given;

type StrictOn<Uid, Given> = {
  readonly [U in keyof Given]: U extends Uid
    ? Given[U] extends object
      ? StrictOptions<DeclaredShape<U>, Given[U], never>
      : Given[U]
    : UnknownName<U>;
};

type StrictOptions<S, Given, More> = {
  readonly [Key in keyof Given]: Key extends "populate"
    ? StrictPopulate<S, Given[Key]>
    : Key extends "filters"
      ? Exact<Given[Key], ShapeFilters<S>>
      : Key extends "fields" | "sort" | More
        ? Given[Key]
        : UnknownName<Key>;
};

/** The same for values whose every key is in `Allowed`. */
type Exact<Given, Allowed> = Given extends readonly unknown[]
  ? { readonly [Index in keyof Given]: Exact<Given[Index], ItemOf<Allowed>> }
  : Given extends Date
    ? Given
    : Given extends object
      ? {
          readonly [Key in keyof Given]: Key extends KeyOf<Allowed>
            ? Exact<Given[Key], MemberOf<Allowed, Key>>
            : UnknownName<Key>;
        }
      : Given;

type ItemOf<T> = T extends readonly (infer Item)[] ? Item : never;
type KeyOf<T> = T extends readonly unknown[] ? never : T extends object ? keyof T : never;
type MemberOf<T, Key> = T extends object ? (Key extends keyof T ? T[Key] : never) : never;
