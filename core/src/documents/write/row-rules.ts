import { type Ability, type Reach, unlimited, type Where } from "../../access/ability.js";
import { ForbiddenError } from "../../access/errors.js";
import { DRAFT_ACTIONS } from "../../access/type-actions.js";
import type { Reader } from "../../database/reads/read.js";
import { type Layout, tableOf } from "../../database/layout/layout.js";
import { parseRule, reachOfDrafts, reachOfRead } from "../params/visible-types.js";
import type { ContentType } from "../../schema/model.js";
import { ValueSlots } from "../params/value-slots.js";

/** What rules are checked with. */
export interface RowRuleSources {
  readonly layout: Layout;
  readonly reader: Reader;
  /** Whether any role or token is granted an action by its name. */
  readonly isNamed: (action: string) => boolean;
}

/** Actions whose reach writes keep. */
export type WriteAction = "create" | "update" | "delete" | (typeof DRAFT_ACTIONS)[number];

/** The ids of rows. */
type RowIds = readonly string[];

/**
 * What an actor's grants mean for the rows of a write. An action that is not granted reaches no row; where it is granted
 * without a rule, nothing is asked of the database.
 */
export class RowRules {
  constructor(
    private readonly sources: RowRuleSources,
    readonly ability: Ability = unlimited,
  ) {}

  /**
   * The actions that a write asks for: `publish` beside its own where it changes published rows of a type with drafts,
   * and a role or token is granted `publish` of the type by its name. To administrators publishing is always an action of
   * its own.
   */
  asked({ uid, hasDrafts }: ContentType, action: WriteAction, publishes: boolean): readonly WriteAction[] {
    const isApart = publishes && hasDrafts && (this.ability.isAdmin === true || this.sources.isNamed(`${uid}.publish`));
    return isApart && action !== "publish" ? [action, "publish"] : [action];
  }

  /** Whether the rows of some of the actions are said by a rule, for which they have to be in the database. */
  hasRule(uid: string, actions: readonly WriteAction[]): boolean {
    return actions.some((action) => this.#reachOf(uid, action).rows === "some");
  }

  /** Whether some of the actions do not reach every row. */
  isLimited(uid: string, actions: readonly WriteAction[]): boolean {
    return actions.some((action) => this.#reaches(uid, action).some(({ reach }) => reach.rows !== "everything"));
  }

  /** Whether the actor may read every draft of a type. */
  readsDrafts(type: ContentType): boolean {
    return reachOfDrafts(this.sources.layout.model, this.ability, type).rows === "everything";
  }

  /** Which of some rows an action reaches; where a rule says so, by one statement through the compiler of reads. */
  async reached(uid: string, action: WriteAction, rows: RowIds): Promise<ReadonlySet<string>> {
    let reached: ReadonlySet<string> = new Set(rows);
    for (const question of this.#reaches(uid, action)) reached = await this.#reached(question, [...reached]);
    return reached;
  }

  async #reached({ uid, action, reach }: Question, rows: RowIds): Promise<ReadonlySet<string>> {
    switch (reach.rows) {
      case "nothing":
        return new Set();
      case "everything":
        return new Set(rows);
      case "some":
        return rows.length === 0 ? new Set() : await this.#fulfilling({ uid, action, where: reach.where }, rows);
    }
  }

  async #fulfilling({ uid, action, where }: RowRule, rows: RowIds): Promise<ReadonlySet<string>> {
    const { layout, reader } = this.sources;
    const values = new ValueSlots(layout.model.defaultLocale);
    const slot = values.add(rows);
    const visible = parseRule(
      { model: layout.model, values, action: `${uid}.${action}`, isAdmin: this.ability.isAdmin },
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

  /** @throws PLINTH_ACCESS_FORBIDDEN (403) for a row that one of the actions does not reach */
  async assertReached(uid: string, actions: readonly WriteAction[], rows: RowIds): Promise<void> {
    for (const action of actions) if (!(await this.reachesAll(uid, action, rows))) throw new ForbiddenError({});
  }

  /** @throws PLINTH_ACCESS_FORBIDDEN (403) where a rule leaves out, or presets, an attribute that is to be changed from elsewhere */
  assertWritten(uid: string, action: WriteAction, attribute: string): void {
    const reach = this.#reachOf(uid, action);
    if (reach.rows === "nothing") throw new ForbiddenError({});
    const isPreset = reach.set !== undefined && Object.hasOwn(reach.set, attribute);
    if (isPreset || reach.fields?.has(attribute) === false) throw new ForbiddenError({});
  }

  /** Which of some rows are visible to the caller, who links to them. */
  async found(uid: string, rows: RowIds): Promise<ReadonlySet<string>> {
    const type = this.sources.layout.tables.get(uid)?.type;
    // Media of an app without a type of files.
    if (!type) return new Set();
    return await this.#reached({ uid, action: "find", reach: reachOfRead(this.ability, type) }, rows);
  }

  #reachOf(uid: string, action: WriteAction): Reach {
    return this.ability.reachOf(`${uid}.${action}`);
  }

  /** The condition on rows of an action: a rule on `update` limits the other actions on drafts as well. */
  #reaches(uid: string, action: WriteAction): readonly Question[] {
    const actions = isDraftAction(action) && this.ability.can(`${uid}.update`) ? [action, "update" as const] : [action];
    return actions.map((each) => ({ uid, action: each, reach: this.#reachOf(uid, each) }));
  }
}

const isDraftAction = (action: WriteAction): boolean => (DRAFT_ACTIONS as readonly string[]).includes(action);

/** What is asked of the rows of a type. */
interface Question {
  readonly uid: string;
  readonly action: WriteAction | "find";
  readonly reach: Reach;
}

interface RowRule extends Omit<Question, "reach"> {
  readonly where: Where;
}
