import type { ComponentType } from "react";
import type { Entry, Problem } from "../../src/wire/content.js";
import type { AttributeView } from "../../src/wire/model.js";

/** Loaded when it is shown. */
export type Lazy<Props> = () => Promise<{ readonly default: ComponentType<Props> }>;

/** A text; by language, or the same in all. */
export type Text = string | Readonly<Record<string, string>>;

/** What a field of an extension is given. */
export interface FieldProps {
  /** Where the value stands; the same for as long as the form is open. */
  readonly path: string;
  readonly attribute: AttributeView;
  readonly value: unknown;
  /** The value as it was read. */
  readonly base: unknown;
  readonly problems: readonly Pick<Problem, "message">[];
  readonly isReadOnly: boolean;
  /** Of the content; the empty string where the type has none. */
  readonly locale: string;
  set(value: unknown): void;
}

/** What a cell of an extension is given. */
export interface CellProps {
  readonly attribute: AttributeView;
  readonly value: unknown;
  readonly row: Entry;
}

/** A document as extensions name it. */
export interface DocumentRef {
  readonly uid: string;
  /** null: it is new. */
  readonly documentId: string | null;
  /** null: the type has none. */
  readonly locale: string | null;
}

/** What a filter of an extension is given: the input for the value that an attribute is compared with. */
export interface FilterProps {
  readonly attribute: AttributeView;
  /** As they stand in the address of the list; the empty string: nothing was chosen yet. */
  readonly value: string;
  /** For the input: the text beside it. */
  readonly label: string;
  set(value: string): void;
}

/** What a panel or a slot is given. */
export interface PanelProps {
  /** Nothing on screens that show none. */
  readonly document?: DocumentRef;
}

/** What an action is about. */
export interface ActionTarget {
  readonly uid: string;
  readonly documentIds: readonly string[];
  readonly locale: string | null;
}

/** What a command may do. */
export interface CommandTools {
  /** Sends a request to the server, as the page does. */
  request<Body>(
    path: string,
    options?: { readonly method?: "GET" | "POST" | "PUT" | "DELETE"; readonly body?: unknown },
  ): Promise<Body>;
  /** Shows a message for some seconds. */
  say(text: string): void;
  /** Reads again what the screen shows. */
  refresh(): Promise<void>;
  /** Goes to an address of the page, below `/admin`: `/x/maps/overview`. */
  navigate(path: string): void;
}

/** What an action may do. */
export interface ActionTools extends CommandTools {
  readonly target: ActionTarget;
}

/** Places of the page that an extension may fill. */
export type SlotName =
  | "list.toolbar"
  | "list.empty"
  | "edit.header"
  | "edit.before"
  | "edit.after"
  | "home"
  /** Below the form by which one signs in: the reader is not signed in there, and only public addresses answer. */
  | "sign-in.after";

/** A field of an extension: how a value is written, and if wanted how lists show it and are filtered by it. */
export interface ExtensionField {
  readonly input: Lazy<FieldProps>;
  readonly cell?: Lazy<CellProps>;
  /** In place of the input for a value that is compared with; the comparisons are those of the attribute's kind. */
  readonly filter?: Lazy<FilterProps>;
}

/** Texts by their keys, `{ "maps.pins": "{count} pins" }`; words in braces are replaced by values. */
export type Texts = Readonly<Record<string, string>>;

/** What an ES module adds to the page, as its default export. */
export interface AdminExtension {
  /** Version of this interface. */
  readonly api: 1;
  /** By name; an attribute asks for one by `"pluginOptions": { "admin": { "field": "colour" } }`. */
  readonly fields?: Readonly<Record<string, ExtensionField>>;
  /** Beside the form of a document. */
  readonly panels?: readonly {
    readonly id: string;
    readonly title: Text;
    readonly when?: (document: DocumentRef) => boolean;
    readonly panel: Lazy<PanelProps>;
  }[];
  readonly slots?: Readonly<
    Partial<Record<SlotName, readonly { readonly id: string; readonly slot: Lazy<PanelProps> }[]>>
  >;
  /** Screens at `/admin/x/<extension>/<path>`, in the navigation. */
  readonly pages?: readonly {
    readonly path: string;
    readonly title: Text;
    /** Name of an icon of the page. */
    readonly icon?: string;
    /** What a role has to be granted to see it, such as `plugin::maps.edit`; nothing: everybody who has the page. */
    readonly action?: string;
    readonly page: Lazy<Record<never, never>>;
  }[];
  /** In the menu of a document, and for selected rows of a list. */
  readonly actions?: readonly {
    readonly id: string;
    readonly label: Text;
    readonly on: "document" | "selection";
    readonly when?: (target: ActionTarget) => boolean;
    readonly run: (tools: ActionTools) => Promise<void>;
  }[];
  /** In the command palette. */
  readonly commands?: readonly {
    readonly id: string;
    readonly label: Text;
    readonly when?: () => boolean;
    readonly run: (tools: CommandTools) => void | Promise<void>;
  }[];
  /**
   * Texts by language, each loaded when the page has that language; English where it is missing. `t` and every `Text` find
   * them by their keys, which begin with the name of the extension: `maps.title`.
   */
  readonly messages?: Readonly<Record<string, () => Promise<{ readonly default: Texts }>>>;
  /** Style sheets, as text: rules for its own parts, and custom properties of the page such as `--radius`. */
  readonly styles?: readonly string[];
}
