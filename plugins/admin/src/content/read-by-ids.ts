import type { Ability, App } from "@plinth/core";
import { parseReadParams, reachOfDrafts, type SelectionRequest } from "@plinth/core/reads";
import type { ContentType } from "@plinth/core/schema";
import { STATE } from "./related.js";

/** Documents of a content-type to be read by their ids. */
export interface ReadByIds {
  readonly type: ContentType;
  readonly documentIds: readonly string[];
  readonly selection: SelectionRequest;
  /** Of a type with locales; nothing: the default one. */
  readonly locale?: string | undefined;
}

/** Reads what an ability finds of some documents, as a relation shows them: the draft where drafts may be read. */
export async function readByIds(app: App, ability: Ability, wanted: ReadByIds): Promise<readonly object[]> {
  const { type, documentIds, selection, locale } = wanted;
  if (ability.reachOf(`${type.uid}.find`).rows === "nothing") return [];
  const params = {
    filters: { documentId: { $in: documentIds } },
    fallbackLocale: [],
    status: reachOfDrafts(app.model, ability, type).rows === "nothing" ? "published" : "draft",
    ...(locale === undefined || !type.isLocalized ? {} : { locale }),
  };
  const prepared = parseReadParams(app.model, type, params, {
    ...{ visibility: "admin", kind: "list", defaultStatus: "draft", asStored: true, facts: STATE, ability, selection },
  });
  return (await app.documents(type.uid).read(prepared)).rows();
}
