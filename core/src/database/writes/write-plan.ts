import { isGenerated, isUnique } from "../../schema/attribute.js";
import type {
  Attribute,
  ComponentAttribute,
  ContentModel,
  ContentType,
  RelationAttribute,
  ScalarAttribute,
  ZoneAttribute,
} from "../../schema/model.js";
import {
  columnsOf,
  componentsIn,
  isRelation,
  type Layout,
  linkCode,
  linkKeys,
  positionColumn,
  type TableLayout,
  tableOf,
} from "../layout/layout.js";
import { identifier, literal } from "../sql/sql.js";
import { type CarriedParts, NOTHING_CARRIED } from "../layout/carried.js";
import { heldLinksOf } from "../layout/held-links.js";
import { claimUniquesSql } from "./component-sql.js";
import { type InversePlan, planInverse } from "./inverse-plan.js";
import { type LinkSql, planLinks } from "./link-sql.js";
import { deleteReferencesSql, planHolderLocks } from "./references.js";
import { planRowSql, type RowSql } from "./row-sql.js";

/** A to-one relation whose target has one holder only. */
export interface ExclusivePlan {
  readonly attribute: RelationAttribute;
  /**
   * Takes the target from its holders, and returns their row ids: `$1` target, `$2` locale, `$3` is draft, `$4`
   * document that may keep it.
   */
  readonly takeText: string;
}

/** All that writing one content-type needs to know, with its SQL: made once at start, only values are added per call. */
export interface WritePlan {
  readonly type: ContentType;
  readonly table: TableLayout;
  readonly components: readonly (ComponentAttribute | ZoneAttribute)[];
  /** The lists of components that a new row has while nothing is in them, by column. */
  readonly emptyLists: Readonly<Record<string, unknown>>;
  readonly uniques: readonly ScalarAttribute[];
  /** Whether components inside have unique attributes, those that the model lacks included. */
  readonly hasComponentUniques: boolean;
  readonly exclusives: readonly ExclusivePlan[];
  readonly inverses: ReadonlyMap<string, InversePlan>;
  /** Names of attributes that all locales of a document share. */
  readonly shared: ReadonlySet<string>;
  /** Whether locales of a document share anything, attributes that the model lacks included. */
  readonly isShared: boolean;
  readonly codes: {
    /** Of the to-many relations that all locales share, those that the model lacks included. */
    readonly shared: readonly number[];
    /** Of what components hold, by link key. */
    readonly embedded: ReadonlyMap<string, number>;
    /** Of all that components hold, where the model does not know all of it: such rows are added, and never taken. */
    readonly unexplained: readonly number[] | undefined;
  };
  readonly sql: RowSql & {
    /** `$1` document id, `$2` its locale: locks what publishing or discarding changes of other documents, and says how many rows, as `locked`. Undefined when it cannot. */
    readonly lockOwners: string | undefined;
    /** Names of unique attributes that another document holds: `$1` row as JSON, `$2` locale, `$3` document id. */
    readonly conflicts: string | undefined;
    /** `$1` document id: locks the documents that point to it. Undefined when nothing can. */
    readonly lockHolders: string | undefined;
    /** By the name of each uid that the server generates. */
    readonly takenUids: ReadonlyMap<string, string>;
    /** `$1` row id: what holds components with unique attributes, those that the model lacks included, by column. */
    readonly components: string;
    /** See `claimUniquesSql`. */
    readonly claimUniques: string;
    /** `$1` document id: clears all that points to it. Undefined when nothing can. */
    readonly forget: string | undefined;
    /**
     * `$1` source row id, `$2` row ids: gives those the links of their components; see held-links.ts. Undefined where
     * locales share no components, and where there may be some that the model does not know.
     */
    readonly giveHeld: string | undefined;
    /** Sets, and copies, link rows. Undefined without a link table; one that the model lacks is copied. */
    readonly links: LinkSql | undefined;
  };
}

/** Builds the plan of one content-type. @throws PLINTH_LAYOUT_MISSING (500) */
export function planWrites(layout: Layout, type: ContentType): WritePlan {
  const table = tableOf(layout, type.uid);
  const attributes = [...type.attributes.values()];
  const shared = attributes.filter((attribute) => !attribute.isLocalized);
  const inverses = attributes.filter(isInverse).map((attribute) => planInverse(layout, type, attribute));
  const fixed = {
    lockOwners: lockAll(inverses.flatMap(({ sql }) => sql.lockDifferent ?? [])),
    conflicts: planConflicts(type, attributes.filter(isUnique)),
    lockHolders: lockAll(planHolderLocks(layout, type)),
    takenUids: planTakenUids(type.table, attributes.filter(isUnique)),
    forget: deleteReferencesSql(layout, type),
  };
  const partsOf = carriedPlans(layout, table, planParts(layout, table, { attributes, shared, fixed }));
  return {
    type,
    table,
    components: attributes.filter(isStructured),
    emptyLists: Object.fromEntries(attributes.filter(isOptionalList).map(({ column }) => [column, []])),
    uniques: attributes.filter(isUnique),
    exclusives: attributes.filter(isExclusive).map((attribute) => ({ attribute, takeText: takeText(type, attribute) })),
    inverses: new Map(inverses.map((plan) => [plan.attribute.name, plan])),
    shared: new Set(shared.map(({ name }) => name)),
    get hasComponentUniques() {
      return partsOf().hasComponentUniques;
    },
    get isShared() {
      return partsOf().isShared;
    },
    get codes() {
      return partsOf().codes;
    },
    get sql() {
      return partsOf().sql;
    },
  };
}

/** What of the plan depends on what is carried along. */
function planParts(
  layout: Layout,
  table: TableLayout,
  {
    attributes,
    shared,
    fixed,
  }: {
    readonly attributes: readonly Attribute[];
    readonly shared: readonly Attribute[];
    readonly fixed: Pick<WritePlan["sql"], "lockOwners" | "conflicts" | "lockHolders" | "takenUids" | "forget">;
  },
): (carried: CarriedParts) => Pick<WritePlan, "hasComponentUniques" | "isShared" | "codes" | "sql"> {
  const { type } = table;
  const held = shared.some(isStructured) ? heldLinksOf(layout.model, table) : undefined;
  const embeddedKeys = linkKeys(layout.model, type).filter(isEmbeddedKey);
  const embedded = new Map(embeddedKeys.map((key) => [key, linkCode(table, key)]));
  const ownCodes = shared.filter(isLinked).map(({ name }) => linkCode(table, name));
  const hasOwnUniques = hasComponentUniques(layout.model, type);
  const columns = { columns: attributes.flatMap(columnsOf), shared: shared.flatMap(columnsOf) };
  return (carried) => {
    const rows = planRowSql(table, columns, carried, layout.countsAlong);
    const codes = { shared: [...ownCodes, ...carried.sharedCodes], embedded, unexplained: carried.embedded };
    return {
      hasComponentUniques: hasOwnUniques || carried.uniques !== undefined,
      isShared: rows.share !== undefined || codes.shared.length > 0,
      codes,
      sql: {
        ...rows,
        ...fixed,
        components: planComponents(type.table, carried),
        claimUniques: claimUniquesSql(type.table),
        giveHeld: carried.embedded ? undefined : held?.give(),
        links: planListedLinks(table.links ?? carried.links),
      },
    };
  };
}

function planComponents(table: string, { uniques }: CarriedParts): string {
  const columns = uniques?.holders.map(({ column }) => identifier(column)) ?? [];
  return `select ${columns.join(", ")} from ${identifier(table)} where id = $1::int8`;
}

const planListedLinks = (name: string | undefined) => (name === undefined ? undefined : planLinks(name));

/** Plans that follow what is carried along: made again when that has changed. */
function carriedPlans<Plan>({ carried }: Layout, { table }: TableLayout, plan: (parts: CarriedParts) => Plan) {
  let parts = carried?.of(table) ?? NOTHING_CARRIED;
  let made = plan(parts);
  return (): Plan => {
    const now = carried?.of(table) ?? NOTHING_CARRIED;
    if (now === parts) return made;
    parts = now;
    made = plan(parts);
    return made;
  };
}

/** Whether a component of a content-type, nested ones included, has a unique attribute. */
function hasComponentUniques(model: ContentModel, type: ContentType): boolean {
  return [...componentsIn(model, type)].some((component) => [...component.attributes.values()].some(isUnique));
}

/** Joins statements that lock into one, which selects from each, because PostgreSQL skips unused ones. */
function lockAll(locks: readonly string[]): string | undefined {
  if (locks.length === 0) return undefined;
  const parts = locks.map((text, index) => `l${index} as materialized (${text})`);
  return `with ${parts.join(", ")} select ${locks.map((_, index) => `(select count(*) from l${index})`).join(" + ")} as locked`;
}

function takeText(type: ContentType, attribute: RelationAttribute): string {
  const column = identifier(attribute.column ?? "");
  const cleared = [attribute.column ?? "", ...positionColumn(attribute)].map((name) => `${identifier(name)} = null`);
  return [
    `update ${identifier(type.table)} set ${cleared.join(", ")} where ${column} = $1 and locale = $2`,
    "and (published_at is null) = $3::bool and document_id <> $4 returning id::text as id",
  ].join(" ");
}

const isStructured = (attribute: Attribute): attribute is ComponentAttribute | ZoneAttribute =>
  attribute.kind === "component" || attribute.kind === "dynamiczone";
const isOptionalList = (attribute: Attribute): attribute is ComponentAttribute | ZoneAttribute =>
  isStructured(attribute) && !attribute.required && (attribute.kind === "dynamiczone" || attribute.repeatable);
const isExclusive = (attribute: Attribute): attribute is RelationAttribute =>
  isRelation(attribute) && attribute.isExclusive && attribute.storage === "column";
const isInverse = (attribute: Attribute): attribute is RelationAttribute =>
  isRelation(attribute) && attribute.storage === "inverse";
const isLinked = (attribute: Attribute): attribute is RelationAttribute =>
  isRelation(attribute) && attribute.storage === "links";
const isEmbeddedKey = (key: string): boolean => key.includes("#");

/**
 * The statement that says which unique attributes of a refused row another document holds: `$1` row as JSON by column,
 * `$2` locale, `$3` document id. It runs only after an index has refused the row, to list all conflicts at once.
 */
function planConflicts(type: ContentType, uniques: readonly ScalarAttribute[]): string | undefined {
  if (uniques.length === 0) return undefined;
  const table = identifier(type.table);
  const checks = uniques.map(({ name, column }) => {
    const held = `t.${identifier(column)} = r.${identifier(column)}`;
    return `select ${literal(name)} as name from r where exists (select 1 from ${table} t where ${held} and t.locale = $2 and t.published_at is not null and t.document_id <> $3)`;
  });
  return `with r as (select * from jsonb_populate_record(null::${table}, $1::jsonb)) ${checks.join(" union all ")}`;
}

/** The statement that finds which of several values a uid attribute has in other documents: `$1` values, `$2` locale, `$3` document id. */
function planTakenUids(table: string, attributes: readonly ScalarAttribute[]): ReadonlyMap<string, string> {
  return new Map(
    attributes.filter(isGenerated).map(({ name, column }) => {
      const value = identifier(column);
      const text = `select ${value} as value from ${identifier(table)} where ${value} = any($1::text[]) and locale = $2 and document_id <> $3`;
      return [name, text];
    }),
  );
}
