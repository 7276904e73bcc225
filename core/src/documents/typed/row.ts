import type { DeclaredShape, DeclaredType, UnknownShape } from "../../schema/declared-types.js";
import type { Document } from "../documents.js";
import type { FieldName } from "./params.js";
import type { AttributesOf, InnerShape, IsRequired, PopulatableName, PrivateName, ReadValue } from "./values.js";

type AttributeOf<S, Name> = AttributesOf<S>[Name & keyof AttributesOf<S>];

/**
 * What a read returns of a shape.
 *
 * @param Fields - what `fields` says: `"*"`, a name or a list of names.
 * @param Populate - what `populate` says.
 * @param Checked - whether what is returned is published, so that required attributes have a value.
 * @param Private - whether the read says `withPrivate: true`.
 */
export type Row<S, Fields, Populate, Checked, Private> = S extends UnknownShape
  ? Document
  : {
      readonly [Name in Shown<
        S,
        SelectedName<S, Fields> | PopulatedName<S, Populate>,
        Private
      >]: Name extends SystemName
        ? SystemValue<S, Name, Checked>
        : Name extends PopulatableName<S>
          ? Populated<AttributeOf<S, Name>, AskFor<Populate, Name>, Checked, Private>
          : ReadValue<AttributeOf<S, Name>> | NullUnless<AttributeOf<S, Name>, IsChecked<S, Checked>>;
    };

/** Of the names of attributes, those that a read returns. */
type Shown<S, Name, Private> = [Private] extends [true] ? Name : Exclude<Name, PrivateName<S>>;

type SystemName = "id" | "documentId" | "createdAt" | "updatedAt" | "publishedAt" | "locale";

type SystemValue<S, Name, Checked> = Name extends "id"
  ? number
  : Name extends "publishedAt"
    ? IsChecked<S, Checked> extends true
      ? string
      : string | null
    : string;

/** Types without drafts check every write. Components are checked with what holds them. */
type IsChecked<S, Checked> = S extends DeclaredType ? (S["drafts"] extends true ? Checked : true) : Checked;

type NullUnless<A, Checked> = IsRequired<A> extends true ? (Checked extends true ? never : null) : null;

/** `id` and `documentId` are always returned. */
type SelectedName<S, Fields> =
  | ("*" extends NameIn<Fields> ? FieldName<S> : NameIn<Fields> & FieldName<S>)
  | (FieldName<S> & ("id" | "documentId"));

type NameIn<Names> = Names extends readonly (infer Name)[] ? ([Name] extends [never] ? "*" : Name) : Names;

/** The first names of what `populate` asks for. */
type PopulatedName<S, Populate> = PopulatableName<S> &
  (Populate extends string | readonly unknown[]
    ? "*" extends NameIn<Populate>
      ? PopulatableName<S>
      : HeadOf<NameIn<Populate>>
    : { [Name in keyof Populate]: Populate[Name] extends false | undefined ? never : Name }[keyof Populate]);

type HeadOf<Path> = Path extends `${infer Head}.${string}` ? Head : Path;
type TailOf<Path, Head> = Path extends `${Head & string}.${infer Tail}` ? Tail : never;

/** What `populate` asks of one attribute. */
type AskFor<Populate, Name> = Populate extends string | readonly unknown[]
  ? { readonly populate: readonly TailOf<NameIn<Populate>, Name>[] }
  : Name extends keyof Populate
    ? Populate[Name]
    : true;

/** Not a union with `undefined` of its own: `.map((row) => ...)` of a result would be too complex for the compiler. */
type Populated<A, Options, Checked, Private> = boolean extends Options
  ? PopulatedValue<A, Options, Checked, Private> | undefined
  : PopulatedValue<A, Options, Checked, Private>;

type PopulatedValue<A, Options, Checked, Private> = A extends {
  readonly kind: "dynamiczone";
  readonly components: infer Uid;
}
  ? readonly Item<Uid, Options, "__component", Checked, Private>[]
  : A extends { readonly component: string }
    ? Many<A, SelectedRow<InnerShape<A>, Options, Checked, Private>, NullUnless<A, Checked>>
    : Related<A, Options, Checked, Private>;

type Related<A, Options, Checked, Private> = Options extends { readonly count: true }
  ? { readonly count: number }
  : A extends { readonly target: string }
    ? Many<A, SelectedRow<InnerShape<A>, Options, Checked, Private>, null>
    : Many<A, Item<string, Options, "__type", Checked, Private>, null>;

type Many<A, Value, Null> = A extends { readonly many: true } ? readonly Value[] : Value | Null;

type SelectedRow<S, Options, Checked, Private> = Row<
  S,
  OptionFields<Options>,
  OptionPopulate<Options>,
  Checked,
  Private
>;

type OptionFields<Options> = Options extends { readonly fields: infer Fields } ? Fields : "*";

type OptionPopulate<Options> = Options extends "*"
  ? "*"
  : Options extends { readonly populate: infer Populate }
    ? [Populate] extends [readonly never[]]
      ? Record<never, never>
      : Populate
    : Record<never, never>;

/** One entry of a list that mixes components or types, with its uid. */
type Item<Uid, Options, Tag extends string, Checked, Private> = Options extends { readonly on: infer On }
  ? { [U in keyof On]: On[U] extends false ? never : Tagged<Tag, U, On[U], Checked, Private> }[keyof On]
  : string extends Uid
    ? Document & { readonly [T in Tag]: string }
    : Uid extends string
      ? Tagged<Tag, Uid, Options, Checked, Private>
      : never;

type Tagged<Tag extends string, Uid, Options, Checked, Private> = { readonly [T in Tag]: Uid } & SelectedRow<
  DeclaredShape<Uid>,
  Options,
  Checked,
  Private
>;
