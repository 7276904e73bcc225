import type { Model } from "objection";

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
