import type { App } from "@plinth/core";
import type { PreparedRead } from "@plinth/core/reads";
import type { Attribute } from "@plinth/core/schema";
import type { LinkedRows, Populate } from "./linked-rows.js";
import type { Typed } from "./typed.js";

/** A row as it is answered, or a part of one. */
export type Row = Readonly<Record<string, unknown>>;

/** What is the same for all of one document that something typed is laid over. */
export interface Laying {
  readonly app: App;
  /** What the document was read by. */
  readonly prepared: PreparedRead;
  readonly typed: Typed;
  readonly links: LinkedRows;
}

/** Something populated: where it stands, and what is stored. */
export interface Populated {
  readonly attribute: Attribute;
  readonly populate: Populate;
  /** Path in the form. */
  readonly place: string;
  readonly stored: unknown;
}
