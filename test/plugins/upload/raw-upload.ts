import { request } from "node:http";

/** Bytes of a multipart request, as no library would write them. */
export interface RawUpload {
  readonly path: string;
  readonly token: string;
  readonly body: Buffer;
  readonly contentType: string;
  /** Closes the connection after so many bytes of the body, though more are promised. */
  readonly cutAfter?: number;
}

/** Boundary of the bodies that `multipart` builds. */
const BOUNDARY = "----a7c91e";

/** The Content-Type that says the boundary. */
export const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

/** A part of a body: a file when it has a filename. */
export interface Part {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly filename?: string;
}

/** Writes parts as multipart/form-data; names stand in it as they are. */
export function multipart(parts: readonly Part[], { isEnded = true } = {}): Buffer {
  const written = parts.flatMap(({ name, content, filename }) => [
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`,
    filename === undefined ? "" : `; filename="${filename}"\r\nContent-Type: image/png`,
    "\r\n\r\n",
    content,
    "\r\n",
  ]);
  const end = isEnded ? `--${BOUNDARY}--\r\n` : "";
  return Buffer.concat([...written, end].map((part) => Buffer.from(part as string)));
}

/**
 * Sends bytes.
 *
 * @returns status and body of the answer; undefined when there is none because the connection was cut.
 */
export function sendRaw(
  url: string,
  { path, token, body, contentType, cutAfter }: RawUpload,
): Promise<{ readonly status: number; readonly text: string } | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": contentType, "content-length": body.length };
    const sent = request(`${url}${path}`, { method: "POST", headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
    });
    sent.on("error", (error: NodeJS.ErrnoException) => {
      // The server may close the connection once it has seen enough.
      if (cutAfter !== undefined || error.code === "EPIPE" || error.code === "ECONNRESET") resolve(undefined);
      else reject(error);
    });
    if (cutAfter === undefined) sent.end(body);
    else sent.write(body.subarray(0, cutAfter), () => setTimeout(() => sent.destroy(), 100));
  });
}
