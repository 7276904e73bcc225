import type { TypeView } from "../../src/wire/model.js";

/** How a document is called: a single page without a title by its type, instead of by its id. */
export function entryTitle(
  type: Pick<TypeView, "kind" | "label"> | undefined,
  { documentId, title }: { readonly documentId: string; readonly title: string },
): string {
  return type?.kind === "singleType" && title === documentId ? type.label : title;
}
