import type { RequestInfo } from "@plinth/core/http";
import type { ContentType } from "@plinth/core/schema";

const MAX_LENGTH = 80;

/**
 * `Content-Disposition` of a file: `articles-my-drafts-fr-2026-03-01.csv`, of the type, the name of the view, the locale and the day.
 *
 * @param now - milliseconds
 * @source https://www.rfc-editor.org/rfc/rfc6266#section-4.3
 */
export function fileNameHeader(
  { pluralName, singularName, kind, isLocalized }: ContentType,
  { name, locale }: RequestInfo["query"],
  now: number,
): string {
  const day = new Date(now).toISOString().slice(0, 10);
  const parts = [kind === "singleType" ? singularName : pluralName, name, isLocalized ? locale : undefined, day];
  const file = `${parts.map(slugOf).filter(Boolean).join("-")}.csv`;
  const ascii = file.replaceAll(/[^\w.-]/g, "_");
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(file)}`;
}

/** Letters and digits of any script, with a line between words. */
function slugOf(text: unknown): string {
  if (typeof text !== "string") return "";
  const words = text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "-");
  return words.slice(0, MAX_LENGTH).replaceAll(/^-+|-+$/g, "");
}
