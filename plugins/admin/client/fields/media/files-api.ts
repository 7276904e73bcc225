import type { FileChanges, LibraryFile, OneFile, UploadedFiles } from "../../../src/wire/files.js";
import { type ApiError, api, ownHeaders, refusal } from "../../app/api.js";

/** Changes what is said of a file. */
export const changeFile = (documentId: string, body: FileChanges) =>
  api<OneFile>(`/files/${documentId}`, { method: "PUT", body });

/** An upload that runs. */
export interface Upload<Body> {
  /** Undefined where it was cancelled. */
  readonly done: Promise<Body | undefined>;
  cancel(): void;
}

/**
 * Puts files into the library.
 *
 * @param onProgress - gets a part of 1
 * @param folder - documentId of a folder; nothing: the top
 */
export function uploadFiles(
  files: readonly File[],
  onProgress: (part: number) => void,
  folder?: string,
): Upload<UploadedFiles> {
  const body = new FormData();
  for (const file of files) {
    body.append("files", file);
    if (folder !== undefined) body.append("fileInfo", JSON.stringify({ folder }));
  }
  return send("/files", body, onProgress);
}

/** Puts another content of the same kind behind the url of a file. */
export function replaceFile(
  { documentId }: Pick<LibraryFile, "documentId">,
  file: File,
  onProgress: (part: number) => void,
): Upload<OneFile> {
  const body = new FormData();
  body.append("files", file);
  return send(`/files/${documentId}/replace`, body, onProgress);
}

/** XMLHttpRequest, because fetch does not say how far a body has been sent. */
function send<Body>(path: string, body: FormData, onProgress: (part: number) => void): Upload<Body> {
  const request = new XMLHttpRequest();
  const done = new Promise<Body | undefined>((resolve, reject) => {
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total));
    request.addEventListener("load", () => {
      if (request.status < 300) resolve(JSON.parse(request.responseText) as Body);
      else reject(refusalOf(request));
    });
    request.addEventListener("error", () => reject(refusalOf(request)));
    request.addEventListener("abort", () => resolve(undefined));
  });
  request.open("POST", `/admin/api${path}`);
  for (const [name, value] of Object.entries(ownHeaders())) request.setRequestHeader(name, value);
  request.send(body);
  return { done, cancel: () => request.abort() };
}

function refusalOf(request: XMLHttpRequest): ApiError {
  const { status, statusText, responseText } = request;
  const body: unknown = responseText.startsWith("{") ? JSON.parse(responseText) : undefined;
  return refusal({ status, statusText, body, requestId: request.getResponseHeader("X-Request-Id") });
}
