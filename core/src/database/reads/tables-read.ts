import type { ReadPoint } from "../driver/position.js";
import { type Layout, typesOfTables } from "../layout/layout.js";
import type { ReadSource } from "./read.js";
import { sumOfStamps } from "./stamps.js";

/** Asks the database for the stamp of some tables. */
export type AskStamp = (tables: readonly string[], from?: ReadPoint) => Promise<string>;

/** The tables that a form of read looks at. */
export class TablesRead implements ReadSource {
  readonly decides = true;
  #types: readonly string[] | undefined;

  constructor(
    readonly tables: readonly string[],
    private readonly layout: Layout,
    private readonly ask: AskStamp,
  ) {}

  get types(): readonly string[] {
    this.#types ??= typesOfTables(this.layout, this.tables);
    return this.#types;
  }

  stampNow(from?: ReadPoint): Promise<string> {
    return this.ask(this.tables, from);
  }

  stampOf(stamps: ReadonlyMap<string, string>): string {
    return sumOfStamps(this.tables.map((table) => stamps.get(table) ?? "0"));
  }
}
