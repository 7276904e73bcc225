import { unwrapResolverError } from "@apollo/server/errors";
import { snakeCase } from "@plinth/core";
import { buildErrorAnswer, type ErrorAnswer, type ErrorBody } from "@plinth/core/http";
import { GraphQLError, type GraphQLFormattedError } from "graphql";

const FORBIDDEN = "Forbidden access";

/**
 * Formats an error for clients. An error of a resolver looks as its REST answer does, below `extensions.error`;
 * of an unexpected one there is only the request's id.
 *
 * @param formatted - as the engine has it.
 * @param requestId - undefined where no request is known.
 * @source plugins/content-api/WIRE.md#graphql-errors
 */
export function formatError(
  formatted: GraphQLFormattedError,
  error: unknown,
  requestId: string | undefined,
): GraphQLFormattedError {
  const thrown = unwrapResolverError(error);
  if (thrown instanceof GraphQLError && !isUnexplained(formatted, thrown)) return formatted;
  const { body, status, isFault } = buildErrorAnswer(thrown);
  const { path } = formatted;
  const place = path ? { path } : {};
  if (status === 500) {
    const extensions = { code: "INTERNAL_SERVER_ERROR", ...(requestId === undefined ? {} : { requestId }) };
    return { message: body.error.message, ...place, extensions };
  }
  const { name, details = {}, code } = body.error;
  const message = name === "ForbiddenError" && body.error.message === "Forbidden" ? FORBIDDEN : body.error.message;
  // The reference has no such faults, and so no form that clients know: they need to tell a full queue from a slow read.
  const described = { name, message, details, ...(isFault ? { code } : {}) };
  return { message, ...place, extensions: { code: codeOf(name, status), error: described } };
}

/** The answer that REST would give to a fault of the server's; undefined for what is about the document or its arguments. */
export function faultOf(error: unknown): ErrorAnswer | undefined {
  const thrown = unwrapResolverError(error);
  if (thrown instanceof GraphQLError) return undefined;
  const answer = buildErrorAnswer(thrown);
  return answer.isFault ? answer : undefined;
}

/** What is wrong with a document or its arguments, as the log has it. */
export function failureOf(error: GraphQLError | GraphQLFormattedError): ErrorBody {
  const thrown = unwrapResolverError(error);
  if (thrown instanceof Error && !(thrown instanceof GraphQLError)) return buildErrorAnswer(thrown).body.error;
  const { message, extensions } = error;
  return { status: 400, name: "GraphQLError", message, code: String(extensions?.["code"]) };
}

/** A GraphQLError around another error that the engine did not unwrap. */
function isUnexplained({ extensions }: GraphQLFormattedError, { originalError }: GraphQLError): boolean {
  return extensions?.["code"] === "INTERNAL_SERVER_ERROR" && originalError !== undefined;
}

/** @source plugins/content-api/WIRE.md#graphql-errors */
function codeOf(name: string, status: number): string {
  if (name === "ValidationError") return "BAD_USER_INPUT";
  if (status === 401 || status === 403) return "FORBIDDEN";
  return `STRAPI_${snakeCase(name).toUpperCase()}`;
}
