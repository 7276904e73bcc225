import { errorCatalogue } from "@plinth/core";
import type { JsonSchema } from "@plinth/core/http";
import type { OpenApiResponse } from "../contract.js";
import type { Operation } from "./list-operations.js";

/** What each status of an error means, in general. */
const MEANINGS: Readonly<Record<number, string>> = {
  400: "The request is invalid; `details` says where. Nothing was changed.",
  401: "The credentials are missing, unknown or expired.",
  403: "The caller does not have the permission.",
  404: "Not found, or not visible to the caller.",
  409: "The request conflicts with the current state.",
  410: "What was asked for is not kept any more.",
  412: "The version of the document does not match If-Match or If-None-Match.",
  413: "The body, or the answer, is too large.",
  415: "The content type of the body is not supported.",
  416: "The requested range is outside of the file.",
  422: "The Idempotency-Key was used for another request.",
  428: "The request has to name the version of the document by If-Match or If-None-Match.",
  429: "Too many requests; the Retry-After header says when to retry.",
};

const OTHER_ERROR = "The request is refused; `message` says why, and `code` names the reason.";

/** The first status of those that are the server's fault. */
const SERVER_ERRORS = 500;
const SERVER_ERROR = "The server failed; its log has the reason. A 503 can be retried.";

/** The name of the answer of an error below `#/components/responses`. */
export const errorResponseOf = (status: number): string =>
  Object.hasOwn(MEANINGS, status) ? `Error${status}` : "OtherError";

/** The answers of errors, for `#/components/responses`: `Error400` to `Error429`, `OtherError` and `ServerError`. */
export function errorResponses(): Readonly<Record<string, OpenApiResponse>> {
  const statuses = Object.entries(MEANINGS).map(([status, meaning]) => {
    const body: JsonSchema = {
      allOf: [
        { $ref: "#/components/schemas/Error" },
        { properties: { error: { properties: { status: { const: Number(status) } } } } },
      ],
    };
    return [`Error${status}`, { description: meaning, content: { "application/json": { schema: body } } }];
  });
  const content = { "application/json": { schema: { $ref: "#/components/schemas/Error" } } };
  return {
    ...Object.fromEntries(statuses),
    OtherError: { description: OTHER_ERROR, content },
    ServerError: { description: SERVER_ERROR, content },
  };
}

/**
 * The body of every error, and the codes that there are.
 *
 * @source plugins/content-api/WIRE.md#envelope
 * @source plugins/content-api/WIRE.md#errors
 */
export function errorSchemas(): Readonly<Record<string, JsonSchema>> {
  const entries = errorCatalogue().filter(({ status }) => status < 500 || status === 503 || status === 507);
  const error: JsonSchema = {
    type: "object",
    required: ["status", "name", "message"],
    properties: {
      status: { type: "integer", minimum: 400, maximum: 599 },
      name: { type: "string", description: "Such as ValidationError" },
      message: { type: "string" },
      details: { description: "What is wrong in particular; its form depends on the code." },
      code: { $ref: "#/components/schemas/ErrorCode" },
    },
  };
  return {
    Error: { type: "object", required: ["data", "error"], properties: { data: { type: "null" }, error } },
    ErrorCode: {
      description: describeCodes(entries),
      anyOf: [{ type: "string", enum: entries.map(({ code }) => code) }, { type: "string" }],
    },
  };
}

function describeCodes(entries: ReturnType<typeof errorCatalogue>): string {
  const lines = entries.map(({ code, status, cause, remedy }) => `- \`${code}\` (${status}): ${cause} ${remedy}`);
  return ["What went wrong. An app may have codes of its own.", "", ...lines].join("\n");
}

/** The statuses of errors that an operation can answer with; every one can with those above 499, so that none names them. */
export function errorsOf({ route, description, params }: Operation): readonly number[] {
  const { headers = {}, body, bearer, errors = [] } = description;
  const statuses = [
    400,
    ...(route.scope === undefined ? [] : [401, 403]),
    ...(bearer === undefined ? [] : [401]),
    ...(params.length > 0 ? [404] : []),
    ...("If-Match" in headers ? [412] : []),
    ...(body === undefined ? [] : [413, 415]),
    ...errors,
  ];
  return [...new Set(statuses)].filter((status) => status < SERVER_ERRORS).sort();
}
