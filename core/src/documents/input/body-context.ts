import type { ContentModel } from "../../schema/model.js";
import type { ValueProblem } from "../../schema/value-problem.js";

/** What the parsers of one body share. */
export interface BodyContext {
  readonly model: ContentModel;
  /** Whether the rules for drafts hold: what is required may be missing. */
  readonly isDraft: boolean;
  /** Where problems are put, in the order of the schema. */
  readonly problems: ValueProblem[];
  /** Where passwords in clear text are noted, to be hashed once everything is known to be right. */
  readonly passwords: PasswordPlace[];
  /** Where attributes of the document itself are noted whose uid the server has made up. */
  readonly generated: Set<string>;
}

/** A password in clear text that a map of scalars holds. */
export interface PasswordPlace {
  readonly scalars: Map<string, unknown>;
  readonly name: string;
}

/** Where an object stands, and whether it is new: what is new gets defaults and must not lack what is required. */
export interface ShapePlace {
  readonly path: readonly string[];
  readonly isNew: boolean;
}
