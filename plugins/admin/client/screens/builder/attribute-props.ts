import type { DraftedShape, RawAttribute } from "./draft.js";
import type { RelationChange } from "./edit-attributes.js";

/** What the controls of one attribute work on. */
export interface AttributeProps {
  readonly shape: DraftedShape;
  readonly name: string;
  readonly attribute: RawAttribute;
  readonly isReadOnly: boolean;
  /** Whether it is in no draft yet. */
  readonly isNew: boolean;
  readonly onChange: (attribute: RawAttribute) => void;
  /** Both sides of a relation, where it has been chosen. */
  readonly relation?: RelationChange | undefined;
  readonly onRelation: (change: RelationChange) => void;
}

/** One option of an attribute, by its path. */
export interface OptionTools {
  readonly get: (...path: readonly string[]) => unknown;
  readonly set: (path: readonly string[], value: unknown) => void;
  readonly at: (path: string) => readonly string[];
}
