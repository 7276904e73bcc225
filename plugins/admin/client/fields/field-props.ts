import type { AttributeView } from "../../src/wire/model.js";
import type { Path } from "../form/paths.js";

/** What the field of every kind is given. */
export interface InputProps {
  readonly path: Path;
  readonly attribute: AttributeView;
  readonly isReadOnly: boolean;
}
