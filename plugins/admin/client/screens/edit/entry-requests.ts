import type {
  CheckRequest,
  CheckResult,
  Entry,
  EntryAction,
  EntryList,
  NewEntry,
  OneEntry,
  Problem,
} from "../../../src/wire/content.js";
import type { TypeView } from "../../../src/wire/model.js";
import { ApiError, type ApiRequest, api, request } from "../../app/api.js";

/** Which document a form is of. */
export interface DocumentPlace {
  readonly type: TypeView;
  /** documentId; `new`; of a single type `single`. */
  readonly id: string;
  readonly locale: string | undefined;
  /** Of a new one: the id that it will have. It names its form, so that several can be open. */
  readonly draft?: string | undefined;
}

/** A document as it was read, with its version. */
export interface Read {
  readonly entry: Entry;
  readonly version: string;
}

/** Path of a document in the REST of the page. */
export const pathOf = ({ type, id }: DocumentPlace): string => `/content/${type.uid}/${encodeURIComponent(id)}`;

/** The query string that names its locale. */
export const queryOf = (locale: string | undefined): string =>
  locale === undefined ? "" : `?locale=${encodeURIComponent(locale)}`;

/** What a write expects to find: a version, or that there is none. */
const expecting = (version: string | null): Record<string, string> =>
  version === null ? { "If-None-Match": "*" } : { "If-Match": version };

/** The entity tag as the server made it: proxies that compress mark it as weak, or by the encoding. */
const versionOf = (headers: Headers): string =>
  `"${/"([^"]*?)(?:[-;](?:gzip|br|zstd|deflate))?"/.exec(headers.get("ETag") ?? "")?.[1] ?? ""}"`;

async function one(path: string, options?: ApiRequest): Promise<Read> {
  const { body, headers } = await request<OneEntry>(path, options);
  return { entry: body.data, version: versionOf(headers) };
}

/** Reads a document as it is stored. @throws ApiError */
export async function readEntry(place: DocumentPlace, status?: "published"): Promise<Read> {
  const query = new URLSearchParams({
    ...(place.locale === undefined ? {} : { locale: place.locale }),
    ...(status === undefined ? {} : { status }),
  });
  return await one(`${pathOf(place)}?${query}`);
}

/** A single type's document may not be there, nor a language of one that is. @throws ApiError 404 where nothing of it is there */
export async function readIfThere(place: DocumentPlace): Promise<Read | undefined> {
  if (place.id === "new") return undefined;
  try {
    return await readEntry(place);
  } catch (error) {
    if (!isMissing(error)) throw error;
    if (place.id === "single" || (place.locale !== undefined && (await isInAnyLocale(place)))) return undefined;
    throw error;
  }
}

/** The document that a form for a new one has made, where the answer to its save was lost. */
export async function readIfMade(place: DocumentPlace): Promise<Read | undefined> {
  try {
    return await readEntry(place);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Whether the server said that a document is not there. */
export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

async function isInAnyLocale({ type, id }: DocumentPlace): Promise<boolean> {
  const query = `filters[documentId][$eq]=${encodeURIComponent(id)}&locale=*&pagination[pageSize]=1`;
  return (await api<EntryList>(`/content/${type.uid}?${query}`)).data.length > 0;
}

/** Makes a document with an id of its own. @throws ApiError 412 where it is there: an answer was lost */
export function createEntry({ type, locale }: Omit<DocumentPlace, "id">, body: NewEntry): Promise<Read> {
  const headers = expecting(null);
  return one(`/content/${type.uid}${queryOf(locale)}`, { method: "POST", body, headers });
}

/** Changes a document; a language that is missing is started by that, as a single type is. @throws ApiError */
export function updateEntry(
  place: DocumentPlace,
  version: string | null,
  body: Omit<NewEntry, "documentId">,
): Promise<Read> {
  return one(`${pathOf(place)}${queryOf(place.locale)}`, { method: "PUT", body, headers: expecting(version) });
}

/** Publishes it as it is stored, takes it back, or copies it. @throws ApiError */
export function actOnEntry(place: DocumentPlace, action: EntryAction, version: string | null): Promise<Read> {
  const headers = version === null || action === "duplicate" ? {} : expecting(version);
  return one(`${pathOf(place)}/actions/${action}${queryOf(place.locale)}`, { method: "POST", headers });
}

/** Deletes it. @param locale - `*`: in all languages @throws ApiError */
export async function deleteEntry(
  place: DocumentPlace,
  locale: string | undefined,
  version: string | null,
): Promise<void> {
  const headers = version === null ? {} : expecting(version);
  await request(`${pathOf(place)}${queryOf(locale)}`, { method: "DELETE", headers });
}

/** All that publishing would be refused for. @throws ApiError */
export async function checkEntry(
  { type, id, locale }: DocumentPlace,
  data: CheckRequest["data"],
): Promise<readonly Problem[]> {
  const documentId = id === "new" || id === "single" ? null : id;
  const body: CheckRequest = { documentId, ...(locale === undefined ? {} : { locale }), data };
  return (await api<CheckResult>(`/content/${type.uid}/check?mode=publish`, { method: "POST", body })).errors;
}
