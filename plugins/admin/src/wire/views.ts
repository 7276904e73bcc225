import type { Person } from "./account.js";

/** What a saved list shows: the state of its address, without the page. */
export interface ViewState {
  readonly q?: string;
  /** `title:asc`. */
  readonly sort?: string;
  readonly locale?: string;
  /** Groups (`$and`, `$or`), names and one operator: `{ $and: [{ title: { $containsi: "a" } }] }`. Beside those of the content API there is `$lastDays`. */
  readonly filters?: Readonly<Record<string, unknown>>;
  /** Names of attributes. */
  readonly columns?: readonly string[];
  readonly size?: 25 | 50 | 100;
}

/** What of a view is left out for a reader, because their role may not read it, or because it is not there any more. */
export interface LeftOut {
  /** Number of conditions. */
  readonly filters: number;
  readonly columns: number;
  readonly sort: boolean;
  readonly locale: boolean;
}

/** A saved view, as its reader sees it. */
export interface SavedView {
  readonly id: string;
  readonly name: string;
  readonly state: ViewState;
  readonly isOwn: boolean;
  /** Whether the reader may change and delete it. */
  readonly isEditable: boolean;
  readonly isShared: boolean;
  /** Roles that it is shared with; for those who may change it only. */
  readonly roles: readonly string[];
  /** Whose it is; null: an administrator who is gone. */
  readonly owner: Person | null;
  readonly left: LeftOut;
}

/** `GET /admin/api/views/:uid`: one's own views of a type, and those that are shared with one's role. */
export interface SavedViews {
  readonly data: readonly SavedView[];
  readonly meta: {
    /** All roles, for those who may share views; others get none. */
    readonly roles: readonly string[];
  };
}

/** Body of `POST /admin/api/views/:uid`, and in part of `PUT /admin/api/views/:id`. */
export interface ViewChanges {
  readonly name?: string;
  readonly state?: ViewState;
  readonly roles?: readonly string[];
}

/** `GET /admin/api/preferences/:key`, and body of its `PUT`; null: none. */
export interface Preference<Value = unknown> {
  readonly value: Value | null;
}

/** The preference `list.<uid>`: how an account wants the views of a type. */
export interface ListPreference {
  /** Id of the view that the list opens with. */
  readonly default?: string;
  /** Ids in the order of the tabs; those that are not named come after. */
  readonly order?: readonly string[];
}
