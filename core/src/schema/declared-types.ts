/**
 * Floor 1. Types of an app's content: descriptions of its content-types and components, which
 * `types/generated.d.ts` of the app adds by declaration merging. Types only; nothing of it exists at run time.
 */
import type { ScalarKind } from "./model.js";

/** Uid -> description of a content-type. Empty here: `plinth types` writes those of an app. */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be merged into
export interface ContentTypes {}

/** Uid -> description of a component. Empty here: `plinth types` writes those of an app. */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be merged into
export interface Components {}

/** One attribute, as the compiler knows it; which members there are depends on `kind`. */
export interface DeclaredAttribute {
  readonly kind: ScalarKind | "relation" | "media" | "component" | "dynamiczone";
  readonly required?: true;
  readonly private?: true;
  /** A scalar with a default for new documents. */
  readonly filled?: true;
  /** The values of an enumeration. */
  readonly values?: string;
  /** Uid of what a relation leads to; absent where it leads to any content-type. */
  readonly target?: string;
  /** A relation to many, or a repeatable component. */
  readonly many?: true;
  /** `localizations`, which is read and never written. */
  readonly derived?: true;
  readonly component?: string;
  /** The components of a dynamic zone. */
  readonly components?: string;
}

/** A component, as the compiler knows it. */
export interface DeclaredComponent {
  readonly attributes: Readonly<Record<string, DeclaredAttribute>>;
}

/** A content-type, as the compiler knows it. */
export interface DeclaredType extends DeclaredComponent {
  readonly kind: "collectionType" | "singleType";
  readonly drafts: boolean;
  readonly localized: boolean;
}

/** The uids that the compiler knows; none where nothing was generated. */
export type ContentTypeUid = keyof ContentTypes & string;

/** The components that the compiler knows; none where nothing was generated. */
export type ComponentUid = keyof Components & string;

/** What is known of a content-type or component by uid; of others, such as files without their plugin, only that they have an id. */
export type DeclaredShape<Uid> = Uid extends keyof ContentTypes
  ? ContentTypes[Uid]
  : Uid extends keyof Components
    ? Components[Uid]
    : UnknownShape;

/** The type in place of a content-type that the app does not have. */
export interface UnknownShape {
  readonly isUnknown: true;
  readonly kind: "collectionType";
  readonly drafts: false;
  readonly localized: false;
  readonly attributes: Readonly<Record<never, never>>;
}

/**
 * Takes a uid that is known only when the app runs, such as a `string`. A text that the compiler can read has to be one
 * of `ContentTypeUid`, as soon as these were generated.
 */
export type LooseUid<Uid extends string> = [ContentTypeUid] extends [never]
  ? Uid
  : Record<never, never> extends Readonly<Record<Uid, 1>>
    ? Uid
    : never;
