import type { FileChanges, FileList, FileView, UploadedFiles } from "../../../src/wire/files.js";
import { type ApiError, api, ownHeaders, refusal } from "../../app/api.js";

/** Files of the library. @param types - as `allowedTypes` of an attribute */
export function findFiles(text: string, types: readonly string[], cursor: string | null, signal: AbortSignal) {
  const query = new URLSearchParams({
    ...(text === "" ? {} : { _q: text }),
    ...(types.length === 0 ? {} : { types: types.join(",") }),
    ...(cursor === null ? {} : { cursor }),
  });
  return api<FileList>(`/files?${query}`, { signal });
}

/** Changes what is said of a file. */
export const changeFile = (documentId: string, body: FileChanges) =>
  api<{ readonly data: FileView }>(`/files/${documentId}`, { method: "PUT", body });

/** An upload that runs. */
export interface Upload {
  readonly done: Promise<readonly FileView[]>;
  cancel(): void;
}

/**
 * Puts files into the library. XMLHttpRequest, because fetch does not say how far a body has been sent.
 *
 * @param onProgress - gets a part of 1
 */
export function uploadFiles(files: readonly File[], onProgress: (part: number) => void): Upload {
  const request = new XMLHttpRequest();
  const body = new FormData();
  for (const file of files) body.append("files", file);
  const done = new Promise<readonly FileView[]>((resolve, reject) => {
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total));
    request.addEventListener("load", () => {
      if (request.status < 300) resolve((JSON.parse(request.responseText) as UploadedFiles).data);
      else reject(refusalOf(request));
    });
    request.addEventListener("error", () => reject(refusalOf(request)));
    request.addEventListener("abort", () => resolve([]));
  });
  request.open("POST", "/admin/api/files");
  for (const [name, value] of Object.entries(ownHeaders())) request.setRequestHeader(name, value);
  request.send(body);
  return { done, cancel: () => request.abort() };
}

function refusalOf(request: XMLHttpRequest): ApiError {
  const { status, statusText, responseText } = request;
  const body: unknown = responseText.startsWith("{") ? JSON.parse(responseText) : undefined;
  return refusal({ status, statusText, body, requestId: request.getResponseHeader("X-Request-Id") });
}
