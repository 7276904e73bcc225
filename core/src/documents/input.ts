/**
 * A body of a write after checking: what it says about each attribute it names, every name and value already
 * looked up and coerced. Attributes that the body does not name are in none of the maps.
 */
export interface WriteInput {
  /** Scalar attributes by name, in stored form (datetimes as ISO strings, bigints as strings, passwords hashed); null clears. */
  readonly scalars: ReadonlyMap<string, unknown>;
  /** Relations and media by name. */
  readonly relations: ReadonlyMap<string, RelationChange>;
  /** Components and zones by name. */
  readonly components: ReadonlyMap<string, ComponentInput | readonly ComponentInput[] | null>;
  /** Names of the scalars that are uids made up by the server: where another document holds one, it gets a number. */
  readonly generated: ReadonlySet<string>;
}

/**
 * What a body says about one relation. A plain value or list, null and `{ set }` become `set`; otherwise
 * `disconnect` runs before `connect` (relations in bodies, WIRE.md). To-one: `set` and `connect` hold at most one target.
 */
export type RelationChange =
  | { readonly set: readonly RelationTarget[] }
  | { readonly connect: readonly RelationConnect[]; readonly disconnect: readonly RelationTarget[] };

/** A target as named by the client: by document id, or by row id of any of its versions. */
export type RelationTarget = ({ readonly documentId: string } | { readonly id: number }) & {
  /** Uid, on polymorphic relations (`__type`). */
  readonly type?: string;
};

/** One target to link, and where in the order. */
export interface RelationConnect {
  readonly target: RelationTarget;
  /** Default: at the end. A target that is linked already moves. */
  readonly position?:
    | { readonly before: RelationTarget }
    | { readonly after: RelationTarget }
    | { readonly start: true }
    | { readonly end: true };
  /** False (`options.strict: false`): an unknown reference in `position` means the end instead of a 400. */
  readonly isStrict: boolean;
}

/** A component of a body. With `id` it changes the stored one of that id, without it is new. */
export interface ComponentInput {
  readonly component: string;
  readonly id?: number;
  /** Scalars in wire form (as they are kept in the jsonb); null clears. */
  readonly scalars: ReadonlyMap<string, unknown>;
  readonly relations: ReadonlyMap<string, RelationChange>;
  readonly components: ReadonlyMap<string, ComponentInput | readonly ComponentInput[] | null>;
}

/**
 * A component as stored in the jsonb of a row: `{ id, <scalar>: wire form, <to-one>: documentId | null,
 * <to-many>: documentId[], <component>: StoredComponent | StoredComponent[] | null }`; items of zones carry
 * `__component`; polymorphic targets are `{ documentId, __type }`.
 */
export type StoredComponent = { readonly id: number } & Readonly<Record<string, unknown>>;
