import { maxHeaderSize, STATUS_CODES } from "node:http";
import { buildErrorAnswer } from "./error-answer.js";
import { HeadersTooLargeError, MalformedRequestError, RequestTimeoutError } from "./errors.js";

/**
 * The answer to a request that node could not parse, such as a query string beyond its limit, with the error body that
 * every other request gets. It goes to the connection itself, because there is no request object.
 *
 * @returns undefined where the client has gone
 */
export function refusalOf(error: NodeJS.ErrnoException): string | undefined {
  return error.code === "ECONNRESET" ? undefined : rawAnswer(toPlinthError(error));
}

/** The text of a whole answer, which ends its connection, for use without a response object. */
export function rawAnswer(error: Error): string {
  const { status, body } = buildErrorAnswer(error);
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(text)}`,
    "Connection: close",
  ];
  return `${head.join("\r\n")}\r\n\r\n${text}`;
}

function toPlinthError(cause: NodeJS.ErrnoException): Error {
  if (cause.code === "HPE_HEADER_OVERFLOW") return new HeadersTooLargeError({ max: maxHeaderSize }, { cause });
  if (cause.code === "ERR_HTTP_REQUEST_TIMEOUT") return new RequestTimeoutError({}, { cause });
  return new MalformedRequestError({ reason: cause.code ?? cause.message }, { cause });
}
