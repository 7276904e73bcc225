import type { ContentModel } from "../../schema/model.js";
import type { ValueProblem } from "../../schema/value-problem.js";

/** What the parsers of one body share. */
export interface BodyContext {
  readonly model: ContentModel;
  /** Whether the rules for drafts hold: what is required may be missing. */
  readonly isDraft: boolean;
  /** Collects problems, in the order of the schema. */
  readonly problems: ValueProblem[];
  /** Collects passwords in clear text, to be hashed once everything is valid. */
  readonly passwords: PasswordPlace[];
  /** Collects the attributes of the document itself whose uid the server has generated. */
  readonly generated: Set<string>;
}

/** A password in clear text that a map of scalars holds. */
export interface PasswordPlace {
  readonly scalars: Map<string, unknown>;
  readonly name: string;
}

/** The path of an object, and whether it is new: new ones get defaults and must have required attributes. */
export interface ShapePlace {
  readonly path: readonly string[];
  readonly isNew: boolean;
}
