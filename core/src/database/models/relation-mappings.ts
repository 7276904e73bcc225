import { createRequire } from "node:module";
import type { AnyQueryBuilder, Model, RelationMapping, RelationMappings } from "objection";
import type { RelationAttribute } from "../../schema/model.js";
import { isRelation, type Layout, linkCode, type TableLayout, tableOf } from "../layout/layout.js";

const require = createRequire(import.meta.url);

/** Loads the library with the first model: it is large, and most apps have none. At once, because `app.db.model` answers so. */
export const loadObjection = (): typeof import("objection") => require("objection");

/** What the mappings of one content-type are made from. */
export interface MappingSource {
  readonly layout: Layout;
  readonly owner: TableLayout;
  readonly modelOf: (uid: string) => ModelClass;
}

type Mapping = RelationMapping<Model>;

/**
 * Objection's description of a content-type's relations, by attribute. Those to any type (morphToOne, morphToMany),
 * those inside components, and those to types outside the model have none.
 */
export function buildMappings(source: MappingSource): RelationMappings {
  const relations = [...source.owner.type.attributes.values()].filter(isRelation);
  return Object.fromEntries(
    relations.flatMap((relation) => {
      if (relation.target === undefined || !source.layout.tables.has(relation.target)) return [];
      const mapping = mapRelation(source, relation, tableOf(source.layout, relation.target));
      return mapping ? [[relation.name, mapping]] : [];
    }),
  );
}

function mapRelation(
  { owner, modelOf }: MappingSource,
  relation: RelationAttribute,
  target: TableLayout,
): Mapping | undefined {
  const { Model } = loadObjection();
  const modelClass = modelOf(target.type.uid);
  const self = `${owner.table}.document_id`;
  const other = `${target.table}.document_id`;
  switch (relation.storage) {
    case "column": {
      const join = { from: `${owner.table}.${relation.column}`, to: other };
      return { relation: Model.BelongsToOneRelation, modelClass, join };
    }
    case "links": {
      const join = { from: `${owner.table}.id`, through: throughLinks(owner, relation.name), to: other };
      return { relation: Model.ManyToManyRelation, modelClass, join };
    }
    case "inverse":
      return mapInverse({ modelClass, self, uid: owner.type.uid }, relation, target);
    case "locales":
      return { relation: Model.HasManyRelation, modelClass, join: { from: self, to: other } };
    default:
      return undefined;
  }
}

interface InverseSide {
  readonly modelClass: ModelClass;
  /** Column of the document id on this side. */
  readonly self: string;
  readonly uid: string;
}

/** The other side has the link: in a column, or in its link table. A polymorphic one is ours where it names our type. */
function mapInverse(
  { modelClass, self, uid }: InverseSide,
  relation: RelationAttribute,
  target: TableLayout,
): Mapping | undefined {
  const owning = target.type.attributes.get(relation.mappedBy ?? "");
  if (!owning || !isRelation(owning)) return undefined;
  const { Model } = loadObjection();
  if (owning.storage === "links") {
    const { from, to, modify } = throughLinks(target, owning.name, owning.isPolymorphic ? uid : "");
    const join = { from: self, through: { from: to, to: from, modify }, to: `${target.table}.id` };
    return { relation: relation.isMany ? Model.ManyToManyRelation : Model.HasOneThroughRelation, modelClass, join };
  }
  const type = `${target.table}.${owning.column}_type`;
  return {
    relation: relation.isMany ? Model.HasManyRelation : Model.HasOneRelation,
    modelClass,
    join: { from: self, to: `${target.table}.${owning.column}` },
    ...(owning.isPolymorphic ? { modify: (query: AnyQueryBuilder) => void query.where(type, uid) } : {}),
  };
}

/** The link table of `holder`, narrowed to one attribute, from the row that holds a link to its target. */
function throughLinks(holder: TableLayout, attribute: string, targetType = "") {
  const code = linkCode(holder, attribute);
  return {
    from: `${holder.links}.source`,
    to: `${holder.links}.target`,
    modify: (query: AnyQueryBuilder) => void query.where({ attribute: code, target_type: targetType }),
  };
}

/**
 * A row of a content-type's table: one version (draft or published, in one locale) of a document. Columns have their
 * names in the database: `document_id`, `pub_date`; only the target of a to-one relation is another property,
 * `author_document_id`, because `author` is the fetched row (in conditions it is the column, `where("author", id)`).
 *
 * For reading, and for joins in an app's own queries. A write through a model goes past validation, document hooks
 * and publishing: use `app.documents(uid)` to change content.
 *
 * Relations lead to all versions of a document, so name the one you mean: the modifiers `published` and `draft` take
 * the rows of the default locale, `published(locale)` and `draft(locale)` those of another:
 * `model.query().modify("published").withGraphFetched("author(published)")`.
 */
declare class DocumentRow extends Model {
  /** A bigint, so a text. */
  id: string;
  document_id: string;
  locale: string;
  /** Null on drafts. */
  published_at: Date | null;
  created_at: Date;
  updated_at: Date;
  created_by_id: string | null;
  updated_by_id: string | null;
  /** Columns and fetched relations of the content-type. */
  readonly [column: string]: unknown;
}

/** The class of one content-type's rows. */
export type ModelClass = typeof DocumentRow;
