import type { OutputForm } from "../../database/query.js";
import type { Limits } from "./parse-pagination.js";

/**
 * What a read returns, as data: for callers such as GraphQL, which read it out of something else than a query string.
 * It says more than `fields` and `populate` can: a relation several times with different arguments, pages of lists, and
 * names of the caller's choice.
 */
export interface Wanted {
  /** Exactly these; not even ids come by themselves. */
  readonly fields: readonly WantedField[];
  readonly populate: readonly WantedPopulate[];
  /** All keys of the output in their order. Default: the fields, then what is populated. */
  readonly order?: readonly string[];
}

/** What a read returns, and what holds for its lists. */
export interface WantedRead extends Wanted {
  /** Of lists below the root. */
  readonly limits: Limits;
}

/** A scalar or system field, or a text that is the same for every row. */
export type WantedField =
  | {
      readonly name: string;
      /** Default: the name. */
      readonly alias?: string;
      /** Default: as on the wire. */
      readonly form?: OutputForm;
      /** For code of the server, not for the actor: a private attribute, too. The actor's rule holds all the same. */
      readonly isForCode?: boolean;
    }
  | { readonly constant: string; readonly alias: string };

/** A relation, media, component or zone. `filters`, `sort` and `pagination` are in the grammar of requests. */
export interface WantedPopulate {
  /** Undefined for a group: an object around `wanted`, which is of the same row. */
  readonly name: string | undefined;
  /** Default: the name. At most 63 bytes. */
  readonly alias?: string;
  readonly filters?: unknown;
  readonly sort?: unknown;
  readonly pagination?: unknown;
  /** Of each entry; unused with `on`. */
  readonly wanted: Wanted;
  /** Of zones and polymorphic relations: what of each component or type, by uid. Items of others are left out. */
  readonly on?: ReadonlyMap<string, Wanted>;
  /** Of zones: items do not say by `__component` what they are. */
  readonly isBare?: boolean;
}

/** What may turn out to be something that the actor may not see. */
export type Refusable = WantedField | WantedPopulate;
