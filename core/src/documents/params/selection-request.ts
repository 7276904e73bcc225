import type { OutputForm } from "../../database/reads/query.js";
import type { FactsRequest } from "./facts.js";
import type { Limits } from "./parse-pagination.js";
import type { Path } from "./parse-context.js";

/**
 * What to return of an entry, before a name in it is looked up: the form that `populate` of REST and the selection sets of
 * GraphQL have in common. resolveSelection checks it and turns it into a Selection.
 */
export interface SelectionRequest {
  /** Exactly these; not even ids come by themselves. Unused with `names`. */
  readonly fields: readonly FieldRequest[];
  readonly populate: readonly PopulateNode[];
  /** All keys of the output in their order. Default: the fields, then what is populated. */
  readonly order?: readonly string[];
  /** Names as a query string has them; the selection is completed from the schema, and has its order. */
  readonly names?:
    | {
        /** Undefined: all. See parseFields. */
        readonly fields: unknown;
        /** `*`: every relation, media, component and zone, beside those of `populate`. */
        readonly isEverything: boolean;
      }
    | undefined;
}

/** A selection, and what holds for the lists in it. */
export interface ReadSelection extends SelectionRequest {
  /** Of lists below the root. Default: they have no pages, but as many entries as the budget allows. */
  readonly limits?: Limits;
  /** Whether what is asked for in a wrong way is left out, for a caller who looks at `deniedFields`. Default: it fails the read. */
  readonly leavesOutFaults?: boolean;
}

/** A scalar or system field, or a text that is the same for every row. */
export type FieldRequest =
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

/**
 * Which entries to return, and what of each. `filters`, `sort` and `pagination` are in the grammar of requests, and not
 * checked yet.
 */
export interface EntryRequest extends SelectionRequest {
  readonly filters?: unknown;
  readonly sort?: unknown;
  /** Of lists; unused where the read has no limits. */
  readonly pagination?: unknown;
  /** Their number, in place of the entries. */
  readonly count?: boolean | undefined;
  /** Which facts of each entry to return as `_facts`. Of relations; default: none. */
  readonly facts?: FactsRequest;
  /** Of zones and polymorphic relations: what of each component or type, by uid; others are left out. Default: the same of all. */
  readonly on?: ReadonlyMap<string, EntryRequest> | undefined;
  /**
   * Where a client's `populate` says this. Such a request is checked also where it is denied, and then left out
   * silently, so that the validity of a request does not depend on its sender.
   */
  readonly place?: PopulatePlace;
  /** Named with `false`: the name is checked, and nothing is returned. */
  readonly isLeftOut?: boolean;
  /** What in its value is no option, and is reported once the name above it is known to be right. */
  readonly invalid?: string;
}

/**
 * A place in a `populate`, in the two ways errors name it: an unknown key by the attributes that lead to it, a known one
 * that cannot be populated by what the client wrote.
 *
 * @source plugins/content-api/WIRE.md#details-of-errors
 */
export interface PopulatePlace {
  /** `["author", "articles"]`, its own name included. */
  readonly attributes: Path;
  /** `author.populate.articles`, `sections.on[sections.hero]`; a text begins again: `articles.cover`. */
  readonly written: string;
}

/** One relation, media, component or zone. */
export interface PopulateNode extends EntryRequest {
  /** Undefined for a group: an object around the selection, which is of the same row. */
  readonly name: string | undefined;
  /** Default: the name. At most 63 bytes. */
  readonly alias?: string;
  /** Of zones: items do not say by `__component` what they are. */
  readonly isBare?: boolean;
  /** Named by a path such as `sections.image`, which in a zone reaches into every component that has the name. */
  readonly isByName?: boolean;
}

/** Nothing but the values of an entry, all of them. */
export const ALL_VALUES: SelectionRequest = Object.freeze({
  fields: [],
  populate: [],
  names: Object.freeze({ fields: undefined, isEverything: false }),
});
