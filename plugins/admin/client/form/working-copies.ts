import type { WorkingCopy } from "../../src/wire/working-copy.js";
import { ApiError, type ApiRequest, api } from "../app/api.js";
import type { JournalEntry, JournalKey } from "./journal.js";
import { randomText } from "./random-text.js";

const DEVICE = "plinth-device";
const NAME_LENGTH = 20;

/** A name for this browser, so that what it wrote itself is not offered as another's. */
export function deviceName(): string {
  const known = localStorage.getItem(DEVICE);
  if (known) return known;
  const made = randomText(NAME_LENGTH);
  localStorage.setItem(DEVICE, made);
  return made;
}

/** What the server keeps of a form; null: nothing, undefined: it does not say. */
export async function readWorkingCopy(key: JournalKey): Promise<WorkingCopy | null | undefined> {
  const answer = await api<{ readonly data: WorkingCopy | null }>(pathOf(key)).catch(ignoreRefusal);
  return answer === false ? undefined : answer.data;
}

/**
 * Has the server keep what was typed.
 *
 * @param isLeaving - whether the tab may be gone before the server answers
 * @returns whether the server has it
 */
export async function putWorkingCopy(
  key: JournalKey,
  { base, changes }: Pick<JournalEntry, "base" | "changes">,
  isLeaving = false,
): Promise<boolean> {
  const request: ApiRequest = { method: "PUT", body: { base, changes, device: deviceName() } };
  if (isLeaving) {
    const error = await api(pathOf(key), { ...request, keepalive: true }).then(() => undefined, asRefusal);
    // What outlives its tab may have 64 KiB, all of it together: the browser refuses more at once, as if offline.
    if (error?.status !== 0) return error === undefined;
  }
  return await api(pathOf(key), request).then(() => true, ignoreRefusal);
}

/** Has the server forget what it keeps of a form. @returns whether it has */
export async function deleteWorkingCopy(key: JournalKey): Promise<boolean> {
  return await api(pathOf(key), { method: "DELETE" }).then(() => true, ignoreRefusal);
}

function pathOf({ uid, documentId, locale }: JournalKey): string {
  const query = locale === "" ? "" : `?locale=${encodeURIComponent(locale)}`;
  return `/working-copies/${uid}/${encodeURIComponent(documentId)}${query}`;
}

/** What the server refused, or did not answer. @throws every other error */
function asRefusal(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

function ignoreRefusal(error: unknown): false {
  asRefusal(error);
  return false;
}
