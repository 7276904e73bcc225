import type { AttributesOf, InnerShape, PassableName, ReadValue, ScalarName, SystemFields } from "./values.js";

/** Whether there is a value at all. */
export interface NullOperators {
  readonly $null?: boolean;
  readonly $notNull?: boolean;
}

/** Equal, or one of a list. */
export interface EqualOperators<Value> extends NullOperators {
  readonly $eq?: Value | null;
  readonly $ne?: Value | null;
  readonly $in?: readonly Value[];
  readonly $notIn?: readonly Value[];
}

/** Before, after, between; both ends of `$between` included. */
export interface OrderOperators<Value> extends EqualOperators<Value> {
  readonly $lt?: Value;
  readonly $lte?: Value;
  readonly $gt?: Value;
  readonly $gte?: Value;
  readonly $between?: readonly [Value, Value];
}

/** Parts of texts; an `i` at the end ignores the case of letters. */
export interface TextOperators<Value> extends OrderOperators<Value> {
  readonly $eqi?: string;
  readonly $nei?: string;
  readonly $contains?: string;
  readonly $notContains?: string;
  readonly $containsi?: string;
  readonly $notContainsi?: string;
  readonly $startsWith?: string;
  readonly $startsWithi?: string;
  readonly $endsWith?: string;
  readonly $endsWithi?: string;
}

/**
 * The operators of an attribute, by its kind.
 *
 * @source core/src/schema/attribute.ts, SCALAR_TRAITS (a test compares the two)
 */
export type OperatorsOf<A> = A extends { readonly kind: infer Kind }
  ? Kind extends "string" | "text" | "richtext" | "email" | "uid" | "enumeration"
    ? TextOperators<ReadValue<A>>
    : Kind extends "boolean"
      ? EqualOperators<boolean>
      : Kind extends "json"
        ? NullOperators & { readonly $eq?: unknown; readonly $ne?: unknown }
        : Kind extends "blocks"
          ? NullOperators
          : OrderOperators<OrderedValue<Kind>>
  : never;

/** Templates of rules such as `{{now}}` are texts. */
type OrderedValue<Kind> = Kind extends "datetime" | "timestamp"
  ? string | number | Date
  : Kind extends "date" | "time"
    ? string
    : Kind extends "id" | "biginteger"
      ? number | string
      : number;

/** Operators and what joins them. */
export type Condition<Operators> = Operators & {
  readonly $and?: readonly Condition<Operators>[];
  readonly $or?: readonly Condition<Operators>[];
  readonly $not?: Condition<Operators>;
};

/** What a filter may say of a scalar: a value, a list of which it is one, or operators. */
type ScalarFilter<A> =
  | (OperatorsOf<A> extends { readonly $in?: readonly (infer Value)[] }
      ? Exclude<Value, Date> | readonly Exclude<Value, Date>[]
      : never)
  | null
  | Condition<OperatorsOf<A>>;

/** Row ids and document ids. */
type Id = number | string;

/** How many entries of a list have to fulfil conditions. */
interface ListOperators<Wanted> {
  readonly $some?: Wanted;
  readonly $none?: Wanted;
  readonly $every?: Wanted;
}

type InnerFilter<A> =
  | null
  | (A extends { readonly component: string }
      ? InnerConditions<A, NullOperators, never>
      : Id | readonly Id[] | InnerConditions<A, EqualOperators<Id>, Id | readonly Id[]>);

/** @param Named - what may stand in place of the conditions of `$some`, `$none` and `$every`. */
type InnerConditions<A, Operators, Named> = EntryConditions<A, Operators> &
  (A extends { readonly many: true } ? ListOperators<Named | EntryConditions<A, Operators>> : unknown);

/** `object`: a shape of which all names are optional would take a text as well. */
type EntryConditions<A, Operators> = object & ShapeFilters<InnerShape<A>> & Operators;

/** Filters on a shape; several keys mean all of them. */
export type ShapeFilters<S> = {
  readonly [Name in ScalarName<S>]?: ScalarFilter<AttributesOf<S>[Name & keyof AttributesOf<S>]>;
} & {
  readonly [Name in keyof SystemFields<S>]?: ScalarFilter<SystemFields<S>[Name]>;
} & {
  readonly [Name in PassableName<S>]?: InnerFilter<AttributesOf<S>[Name & keyof AttributesOf<S>]>;
} & {
  readonly $and?: readonly ShapeFilters<S>[];
  readonly $or?: readonly ShapeFilters<S>[];
  readonly $not?: ShapeFilters<S>;
};
