import { ApiError, ownHeaders, refusal } from "./api.js";

/**
 * Downloads a file of the page's REST under the name that the server gives it.
 *
 * @param path - below `/admin/api`
 * @returns its name
 * @throws ApiError, also where the answer broke off
 */
export async function download(path: string, signal: AbortSignal): Promise<string> {
  const response = await ask(path, signal);
  if (!response.ok) {
    const body: unknown = await response.json().catch(() => undefined);
    const { status, statusText } = response;
    throw refusal({ status, statusText, body, requestId: response.headers.get("X-Request-Id") });
  }
  const name = fileNameOf(response.headers.get("Content-Disposition"));
  saveFile(await wholeOf(response, signal), name);
  return name;
}

async function ask(path: string, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(`/admin/api${path}`, { credentials: "same-origin", headers: ownHeaders(), signal });
  } catch (cause) {
    throw signal.aborted ? cause : brokenOff(cause);
  }
}

async function wholeOf(response: Response, signal: AbortSignal): Promise<Blob> {
  try {
    return await response.blob();
  } catch (cause) {
    throw signal.aborted ? cause : brokenOff(cause);
  }
}

const brokenOff = (cause: unknown): ApiError =>
  new ApiError({ status: 0, code: "OFFLINE", message: String(cause), details: {}, requestId: null });

/** @source https://www.rfc-editor.org/rfc/rfc6266#section-4.1 */
function fileNameOf(header: string | null): string {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(header ?? "")?.[1];
  return encoded === undefined ? "list.csv" : decodeURIComponent(encoded);
}

/** Long enough for the browser to have begun with the file, in milliseconds. */
const KEPT = 60_000;

/** Downloads what the page has itself. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT);
}
