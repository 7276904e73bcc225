import { type Ability, type Limits, unlimited } from "../../access/ability.js";
import { ForbiddenError } from "../../access/errors.js";
import type { Reader } from "../../database/compiler/read.js";
import { type Layout, tableOf } from "../../database/layout.js";
import { FILE_TYPE } from "../../schema/model.js";
import { parseRule } from "../params/sights.js";
import { ValueSlots } from "../params/value-slots.js";

/** What rules are checked with. */
export interface RowRuleSources {
  readonly layout: Layout;
  readonly reader: Reader;
}

/** Actions whose rules writes keep. */
export type WriteAction = "create" | "update" | "delete";

/** The ids of rows. */
type RowIds = readonly string[];

/** What the rules of an actor mean for the rows of a write. Where there is no rule, nothing is asked of the database. */
export class RowRules {
  constructor(
    private readonly sources: RowRuleSources,
    readonly ability: Ability = unlimited,
  ) {}

  /** Whether a rule keeps an action from some rows. */
  isLimited(uid: string, action: WriteAction): boolean {
    return this.#limitsOf(uid, action)?.where !== undefined;
  }

  /** Which of some rows an action reaches, by one statement through the compiler of reads. */
  async reached(uid: string, action: WriteAction | "find", rows: RowIds): Promise<ReadonlySet<string>> {
    const where = this.#limitsOf(uid, action)?.where;
    if (!where || rows.length === 0) return new Set(rows);
    const { layout, reader } = this.sources;
    const values = new ValueSlots(layout.model.defaultLocale);
    const slot = values.add(rows);
    const visible = parseRule(
      { model: layout.model, values, action: `${uid}.${action}` },
      tableOf(layout, uid).type,
      where,
    );
    if (!visible) return new Set(rows);
    return await reader.rows({ query: { type: uid, rows: slot, visible }, values: values.all() });
  }

  /** Whether an action reaches every one of some rows. */
  async reachesAll(uid: string, action: WriteAction, rows: RowIds): Promise<boolean> {
    const reached = await this.reached(uid, action, rows);
    return rows.every((row) => reached.has(row));
  }

  /** @throws PLINTH_ACCESS_FORBIDDEN (403) for a row that a write left outside of the action's rule */
  async assertReached(uid: string, action: WriteAction, rows: RowIds): Promise<void> {
    if (!(await this.reachesAll(uid, action, rows))) throw new ForbiddenError({});
  }

  /** @throws PLINTH_ACCESS_FORBIDDEN (403) where a rule leaves out an attribute that is to be changed from elsewhere */
  assertWritten(uid: string, action: WriteAction, attribute: string): void {
    if (this.#limitsOf(uid, action)?.fields?.has(attribute) === false) throw new ForbiddenError({});
  }

  /** Which of some rows exist for who links to them. Media needs no permission. @source wire.md section 3 */
  async found(uid: string, rows: RowIds): Promise<ReadonlySet<string>> {
    if (uid !== FILE_TYPE && !this.ability.can(`${uid}.find`)) return new Set();
    return await this.reached(uid, "find", rows);
  }

  #limitsOf(uid: string, action: WriteAction | "find"): Limits | undefined {
    const name = `${uid}.${action}`;
    return this.ability.can(name) ? this.ability.limitsOf(name) : undefined;
  }
}
