import type { ComponentUid, ContentTypeUid, DeclaredShape, LooseUid } from "../../schema/declared-types.js";
import type { Status } from "../../database/reads/query.js";
import type {
  Asked,
  CreateParams,
  Documents,
  ManyParams,
  Precondition,
  OneParams,
  ReadParams,
  UpdateManyParams,
  UpdateParams,
  VersionParams,
  VersionsResult,
} from "../documents.js";
import type { ShapeFilters } from "./filters.js";
import type { CreateInput, UpdateInput } from "./input.js";
import type { ShapeFields, ShapePopulate, ShapeSort, StrictPopulate } from "./params.js";
import type { Row } from "./row.js";

/** What a read asks for, as far as it decides what is returned. */
export interface DocumentSelection {
  readonly fields?: unknown;
  readonly populate?: unknown;
  readonly status?: unknown;
  readonly withPrivate?: unknown;
}

/**
 * What reads return of a content-type: `DocumentOf<"api::article.article", { populate: { author: true } }>`.
 * Without `status: "published"` it is a draft, whose required attributes may be null.
 */
export type DocumentOf<Uid extends ContentTypeUid, A extends DocumentSelection = Record<never, never>> = Row<
  DeclaredShape<Uid>,
  A extends { readonly fields: infer Fields } ? Fields : "*",
  A extends { readonly populate: infer Populate } ? Populate : Record<never, never>,
  A extends { readonly status: "published" } ? true : false,
  A extends { readonly withPrivate: true } ? true : false
>;

/** What reads return of a component, without what it leads to. */
export type ComponentOf<Uid extends ComponentUid> = Row<DeclaredShape<Uid>, "*", Record<never, never>, false, false>;

/** The data of a creation. */
export type InputOf<Uid extends ContentTypeUid> = CreateInput<DeclaredShape<Uid>>;

/** The data of an update. */
export type ChangesOf<Uid extends ContentTypeUid> = UpdateInput<DeclaredShape<Uid>>;

/** The data of a component. */
export type ComponentInputOf<Uid extends ComponentUid> = UpdateInput<DeclaredShape<Uid>>;

/** Filters on a content-type. */
export type FiltersOf<Uid extends ContentTypeUid> = ShapeFilters<DeclaredShape<Uid>>;

/** What a content-type can be sorted by. */
export type SortOf<Uid extends ContentTypeUid> = ShapeSort<DeclaredShape<Uid>>;

/** What can be asked for in `fields`. */
export type FieldsOf<Uid extends ContentTypeUid> = ShapeFields<DeclaredShape<Uid>>;

/** What can be populated. */
export type PopulateOf<Uid extends ContentTypeUid> = ShapePopulate<DeclaredShape<Uid>>;

/** `fields` and `populate`, which decide what is returned; names that do not exist are refused at every depth. */
interface Selects<S, Fields, Populate, Private> {
  readonly fields?: Fields | undefined;
  readonly populate?: (Populate & Checked<S, Populate>) | undefined;
  /** See ReadParams. */
  readonly withPrivate?: Private | undefined;
}

/** While the compiler infers, `Populate` stands for everything that is allowed, which need not be gone through. */
type Checked<S, Populate> = ShapePopulate<S> extends Populate ? unknown : StrictPopulate<S, Populate>;

interface Restricts<S> {
  readonly filters?: ShapeFilters<S> | undefined;
  readonly sort?: ShapeSort<S> | undefined;
}

type Untyped = "fields" | "populate" | "filters" | "sort" | "status" | "data" | "withPrivate";
type Nothing = Record<never, never>;

type Read<S, Base, Fields, Populate, St, Private> = Omit<Asked<Base>, Untyped> &
  Restricts<S> &
  Selects<S, Fields, Populate, Private> & { readonly status?: St | undefined };

type Write<S, Base, Data, Fields, Populate, St, Private> = Omit<Asked<Base>, Untyped> &
  Selects<S, Fields, Populate, Private> & { readonly data: Data; readonly status?: St | undefined };

type Returned<S, Fields, Populate, St, Private> = Row<
  S,
  Fields,
  Populate,
  [St] extends ["published"] ? true : false,
  Private
>;

type Versions<Entry> = Omit<VersionsResult, "entries"> & { readonly entries: readonly Entry[] };

/** Publishing returns published rows; the other operations drafts, or what was deleted. */
type VersionOperation<S, Checked> = <
  const F extends ShapeFields<S> = "*",
  const P extends ShapePopulate<S> = Nothing,
  const W extends boolean = false,
>(
  params: Omit<Asked<VersionParams>, Untyped> & Selects<S, F, P, W>,
) => Promise<Versions<Row<S, F, P, Checked, W>>>;

type ManyOperation<S, Checked> = <
  const F extends ShapeFields<S> = "*",
  const P extends ShapePopulate<S> = Nothing,
  const W extends boolean = false,
>(
  params: Omit<Asked<ManyParams>, Untyped> & Selects<S, F, P, W>,
) => Promise<readonly Versions<Row<S, F, P, Checked, W>>[]>;

/** The operations on a content-type that the compiler knows; see Documents for what they do. */
export interface TypedDocuments<S> extends Pick<Documents, "lock" | "read" | "singleId" | "statementOf"> {
  findMany<
    const F extends ShapeFields<S> = "*",
    const P extends ShapePopulate<S> = Nothing,
    const St extends Status = "draft",
    const W extends boolean = false,
  >(params?: Read<S, ReadParams, F, P, St, W>): Promise<Returned<S, F, P, St, W>[]>;
  findFirst<
    const F extends ShapeFields<S> = "*",
    const P extends ShapePopulate<S> = Nothing,
    const St extends Status = "draft",
    const W extends boolean = false,
  >(params?: Read<S, ReadParams, F, P, St, W>): Promise<Returned<S, F, P, St, W> | null>;
  findOne<
    const F extends ShapeFields<S> = "*",
    const P extends ShapePopulate<S> = Nothing,
    const St extends Status = "draft",
    const W extends boolean = false,
  >(params: Read<S, OneParams, F, P, St, W>): Promise<Returned<S, F, P, St, W> | null>;
  count(params?: Omit<Asked<ReadParams>, "filters" | "sort" | "fields" | "populate"> & Restricts<S>): Promise<number>;
  create<
    const F extends ShapeFields<S> = "*",
    const P extends ShapePopulate<S> = Nothing,
    const St extends Status = "draft",
    const W extends boolean = false,
  >(params: Write<S, CreateParams, CreateInput<S>, F, P, St, W>): Promise<Returned<S, F, P, St, W>>;
  update<
    const F extends ShapeFields<S> = "*",
    const P extends ShapePopulate<S> = Nothing,
    const St extends Status = "draft",
    const W extends boolean = false,
  >(params: Write<S, UpdateParams, UpdateInput<S>, F, P, St, W>): Promise<Returned<S, F, P, St, W> | null>;
  upsertSingle<
    const F extends ShapeFields<S> = "*",
    const P extends ShapePopulate<S> = Nothing,
    const St extends Status = "draft",
    const W extends boolean = false,
  >(
    params: Write<S, CreateParams & Precondition, CreateInput<S>, F, P, St, W>,
  ): Promise<Returned<S, F, P, St, W> | null>;
  readonly delete: VersionOperation<S, false>;
  readonly publish: VersionOperation<S, true>;
  readonly unpublish: VersionOperation<S, false>;
  readonly discardDraft: VersionOperation<S, false>;
  readonly publishMany: ManyOperation<S, true>;
  readonly unpublishMany: ManyOperation<S, false>;
  readonly discardDraftMany: ManyOperation<S, false>;
  readonly deleteMany: ManyOperation<S, false>;
  updateMany<
    const F extends ShapeFields<S> = "*",
    const P extends ShapePopulate<S> = Nothing,
    const St extends Status = "draft",
    const W extends boolean = false,
  >(
    params: Write<S, UpdateManyParams, UpdateInput<S>, F, P, St, W>,
  ): Promise<readonly (Returned<S, F, P, St, W> | null)[]>;
}

/** The operations on a content-type by its uid. @throws PLINTH_LAYOUT_MISSING (500) for an unknown uid */
export interface DocumentsOf {
  <Uid extends ContentTypeUid>(uid: Uid): TypedDocuments<DeclaredShape<Uid>>;
  <Uid extends string>(uid: LooseUid<Uid>): Documents;
}
