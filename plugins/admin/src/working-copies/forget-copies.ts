import type { App } from "@plinth/core";
import type { RequestInfo } from "@plinth/core/http";
import type { ContentType } from "@plinth/core/schema";
import { WORKING_COPY_TYPE } from "../content-types/working-copy.js";

/** Documents that were deleted. */
interface Deleted {
  readonly type: ContentType;
  readonly documentIds: readonly string[];
  /** `*`: all; undefined: the default one. */
  readonly locale: string | undefined;
}

/**
 * Deletes what the one who deletes documents had typed into them. What others typed stays: it is theirs, and can become
 * a new document.
 */
export async function forgetWorkingCopies(app: App, { actor }: RequestInfo, deleted: Deleted): Promise<void> {
  if (!actor.user) return;
  const { type, documentIds, locale } = deleted;
  const inLocale = type.isLocalized && locale !== "*" ? { localeCode: locale ?? app.model.defaultLocale } : {};
  const filters = {
    account: actor.user.documentId,
    contentType: type.uid,
    document: { $in: documentIds },
    ...inLocale,
  };
  const copies = app.documents(WORKING_COPY_TYPE);
  const found = await copies.findMany({
    ...{ filters, fields: ["documentId"], pagination: { limit: -1 }, withPrivate: true },
  });
  for (const { documentId } of found) await copies.delete({ documentId });
}
