import type { DeclaredShape, DeclaredType } from "../../schema/declared-types.js";
import type { AttributesOf, InnerShape, IsRequired, PopulatableName, WrittenValue } from "./values.js";

type AttributeOf<S, Name> = AttributesOf<S>[Name & keyof AttributesOf<S>];

type WritableName<S> = {
  [Name in keyof AttributesOf<S>]: AttributesOf<S>[Name] extends { readonly derived: true } ? never : Name;
}[keyof AttributesOf<S>] &
  string;

/** The required keys of a new document: required scalars without a default, on types without drafts. */
type NeededName<S> = S extends DeclaredType
  ? S["drafts"] extends true
    ? never
    : {
        [Name in Exclude<WritableName<S>, PopulatableName<S>>]: IsRequired<AttributeOf<S, Name>> extends true
          ? AttributeOf<S, Name> extends { readonly filled: true }
            ? never
            : Name
          : never;
      }[Exclude<WritableName<S>, PopulatableName<S>>]
  : never;

/** The data of an update: what is not named stays as it is, null clears. */
export type UpdateInput<S> = { readonly [Name in WritableName<S>]?: InputValue<AttributeOf<S, Name>> | undefined };

/** The data of a creation. */
export type CreateInput<S> = UpdateInput<S> & {
  readonly [Name in NeededName<S>]: NonNullable<InputValue<AttributeOf<S, Name>>>;
};

type InputValue<A> = A extends { readonly components: infer Uid }
  ? readonly ZoneItem<Uid>[]
  : A extends { readonly component: string }
    ? A extends { readonly many: true }
      ? readonly ComponentInput<InnerShape<A>>[]
      : ComponentInput<InnerShape<A>> | null
    : A extends { readonly kind: "relation" | "media" }
      ? RelationInput<A>
      : WrittenValue<A> | null;

/** One component; with the `id` of a stored one, it changes that. */
type ComponentInput<S> = UpdateInput<S> & { readonly id?: number | string };

type ZoneItem<Uid> = Uid extends string ? { readonly __component: Uid } & ComponentInput<DeclaredShape<Uid>> : never;

type RelationInput<A> =
  | (A extends { readonly target: string } ? RelationTarget : TypedTarget)
  | (A extends { readonly many: true } ? readonly Target<A>[] : never)
  | RelationChange<Target<A>>
  | null;

type Target<A> = A extends { readonly target: string } ? RelationTarget : TypedTarget;

/** A document to link to: its document id, its row id, or an object with one of them. */
export type RelationTarget = string | number | NamedTarget;

interface NamedTarget {
  readonly id?: string | number;
  readonly documentId?: string;
  readonly status?: "draft" | "published";
  readonly locale?: string;
}

/** A target of a relation to any type. */
interface TypedTarget extends NamedTarget {
  readonly __type: string;
}

/** What changes in the links of a relation; `set` does not go with the others. */
export interface RelationChange<To = RelationTarget> {
  readonly set?: To | readonly To[] | null;
  readonly connect?: Connect<To> | readonly Connect<To>[];
  readonly disconnect?: To | readonly To[];
  readonly options?: { readonly strict?: boolean };
}

type Connect<To> = To | (Exclude<To, string | number> & { readonly position?: Position });

/** Where in the list a connected target goes; default: at the end. */
interface Position {
  readonly before?: RelationTarget;
  readonly after?: RelationTarget;
  readonly start?: boolean;
  readonly end?: boolean;
}
