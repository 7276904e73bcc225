import type { Document } from "@plinth/core";
import type { FileView, StorageProvider } from "../contract.js";
import type { StoredFormats } from "./file-record.js";

/** Adds the members that only upload's own endpoints show. @source plugins/content-api/WIRE.md#files */
export function viewOf(file: Document, isUrlSigned: boolean): FileView {
  return { ...file, isUrlSigned };
}

/** A file with signed urls in place of those that are stored; fields that were not selected stay absent. */
export async function signFile(provider: StorageProvider, file: Document): Promise<Document> {
  const sign = async (url: unknown) => (await provider.signUrl?.(keyOfUrl(String(url)))) ?? url;
  const signed: Record<string, unknown> = { ...file };
  if (file["url"] !== undefined) signed["url"] = await sign(file["url"]);
  if (file["formats"]) signed["formats"] = await signFormats(file["formats"] as StoredFormats, sign);
  return signed as Document;
}

async function signFormats(formats: StoredFormats, sign: (url: unknown) => Promise<unknown>) {
  const entries = Object.entries(formats).map(async ([name, format]) => [
    name,
    { ...format, url: await sign(format.url) },
  ]);
  return Object.fromEntries(await Promise.all(entries)) as unknown;
}

/** Keys are the last segment of a url, and never need escaping. */
const keyOfUrl = (url: string): string => url.slice(url.lastIndexOf("/") + 1);
