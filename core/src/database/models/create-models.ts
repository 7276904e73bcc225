import type { AnyQueryBuilder, ColumnNameMappers, Modifiers, Pojo } from "objection";
import type { ContentType } from "../../schema/model.js";
import type { Database } from "../driver/database.js";
import { isRelation, type Layout, type TableLayout, tableOf } from "../layout/layout.js";
import { buildMappings, loadObjection, type ModelClass } from "./relation-mappings.js";

/** The Objection model of a content-type. @throws PLINTH_LAYOUT_MISSING (500) details `{ uid, what }` */
export type ModelOf = (uid: string) => ModelClass;

/**
 * Makes an Objection model per content-type, on first use. Its queries run in the transaction of their async context,
 * if there is one. Writes through a model skip validation and document hooks; see DocumentRow.
 */
export function createModels(db: Database, layout: Layout): ModelOf {
  const models = new Map<string, ModelClass>();
  const modelOf: ModelOf = (uid) => {
    const owner = tableOf(layout, uid);
    const known = models.get(uid);
    if (known) return known;
    const model = createModel(db, { layout, owner, modelOf });
    models.set(uid, model);
    return model;
  };
  return modelOf;
}

interface ModelParts {
  readonly layout: Layout;
  readonly owner: TableLayout;
  readonly modelOf: ModelOf;
}

function createModel(db: Database, parts: ModelParts): ModelClass {
  const { type, table } = parts.owner;
  const DocumentRow = loadObjection().Model as ModelClass;
  return class extends DocumentRow {
    static override tableName = table;
    static override jsonAttributes = jsonColumns(type);
    static override columnNameMappers = targetNames(type);
    static override modifiers = versionModifiers(() => (type.isLocalized ? parts.layout.model.defaultLocale : ""));

    // A thunk: two types may refer to each other.
    static override relationMappings = () => buildMappings(parts);

    static override knex() {
      return db.builder();
    }
  };
}

/** A to-one relation's column has the name of its relation, where Objection puts the related row. */
function targetNames({ attributes }: ContentType): ColumnNameMappers {
  const columns = [...attributes.values()].flatMap((a) => (isRelation(a) && a.column !== undefined ? [a.column] : []));
  const names = new Map(columns.map((column) => [column, `${column}_document_id`]));
  const back = new Map([...names].map(([column, name]) => [name, column]));
  const renamed = (row: Pojo, to: ReadonlyMap<string, string>): Pojo =>
    Object.fromEntries(Object.entries(row).map(([key, value]) => [to.get(key) ?? key, value]));
  return { parse: (row) => renamed(row, names), format: (row) => renamed(row, back) };
}

/** Texts for the database, objects for code. */
function jsonColumns({ attributes }: ContentType): string[] {
  const kinds = new Set(["json", "blocks", "component", "dynamiczone"]);
  return [...attributes.values()].flatMap(({ kind, column }) =>
    kinds.has(kind) && column !== undefined ? [column] : [],
  );
}

/** `published` and `draft` rows, of the default locale when none is named. */
function versionModifiers(defaultLocale: () => string): Modifiers {
  return {
    published(query: AnyQueryBuilder, locale: string = defaultLocale()) {
      query.whereNotNull(columnOf(query, "published_at")).where(columnOf(query, "locale"), locale);
    },
    draft(query: AnyQueryBuilder, locale: string = defaultLocale()) {
      query.whereNull(columnOf(query, "published_at")).where(columnOf(query, "locale"), locale);
    },
  };
}

/** The column of the model's own table, under its alias of a join too. */
function columnOf(query: AnyQueryBuilder, column: string): string {
  return `${query.tableRefFor(query.modelClass())}.${column}`;
}
