import type { App, CreateParams } from "@plinth/core";
import { type ContentType, isUnique } from "@plinth/core/schema";
import type { Problem } from "../wire/content.js";

/** A document that is to be published, with what is to change. */
export interface Publication {
  readonly type: ContentType;
  /** Undefined: it is new. */
  readonly documentId: string | undefined;
  /** Undefined: the default locale. */
  readonly locale: string | undefined;
  readonly data: CreateParams["data"];
}

/**
 * The unique attributes of a document whose value a published one has. In a write the unique index says so, once the row
 * is complete; this is for a row that lacks something. As in a write, it does not matter whether the caller sees the
 * other document, and nothing of it is said.
 */
export async function takenValues(app: App, publication: Publication): Promise<readonly Problem[]> {
  const { type, documentId, locale, data } = publication;
  const documents = app.documents(type.uid);
  const version = locale === undefined ? {} : { locale };
  const stored =
    documentId === undefined
      ? null
      : await documents.findOne({ documentId, asStored: true, withPrivate: true, ...version });
  const problems: Problem[] = [];
  for (const { name } of [...type.attributes.values()].filter(isUnique)) {
    const value = data[name] ?? stored?.[name];
    if (value === undefined || value === null) continue;
    const others = documentId === undefined ? {} : { documentId: { $ne: documentId } };
    const filters = { [name]: { $eq: value }, ...others };
    const found = await documents.count({
      filters,
      status: "published",
      fallbackLocale: [],
      withPrivate: true,
      ...version,
    });
    if (found > 0) problems.push({ path: [name], message: "This attribute must be unique" });
  }
  return problems;
}
