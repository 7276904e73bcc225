import type { AnswerDescription, JsonSchema, QueryDescription, RouteDescription } from "@plinth/core/http";
import type * as v from "@plinth/core/valibot";
import { toJsonSchema } from "../../vendor/to-json-schema.mjs";
import type { OpenApiContent, OpenApiOperation, OpenApiParameter, OpenApiResponse } from "../contract.js";
import { errorResponseOf, errorsOf } from "./error-responses.js";
import type { Operation } from "./list-operations.js";

type Resolve = (schema: JsonSchema) => JsonSchema;

const JSON_TYPE = "application/json";

/** One operation of the document. @param resolve - puts references of the document in place of names of the model. */
export function describeOperation(operation: Operation, resolve: Resolve): OpenApiOperation {
  const { id, route, description } = operation;
  const { summary, tag, body } = description;
  const parameters = parametersOf(operation, resolve);
  return {
    operationId: id,
    summary,
    ...(description.description === undefined ? {} : { description: description.description }),
    tags: [tag],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body
      ? {
          requestBody: {
            required: body.required ?? true,
            content: contentOf({ ...body, schema: bodySchema(body.schema) }, resolve),
          },
        }
      : {}),
    responses: { ...errorAnswersOf(operation), ...answersOf(operation, resolve) },
    security: securityOf(operation),
    ...(route.action === undefined ? {} : { "x-plinth-action": route.action }),
  };
}

function parametersOf({ params, description }: Operation, resolve: Resolve): readonly OpenApiParameter[] {
  const { params: schemas = {}, query = {}, headers = {} } = description;
  return [
    ...params.map((name, index): OpenApiParameter => {
      // A route whose path names its parameter otherwise describes it by the same place.
      const schema = schemas[name] ?? Object.values(schemas)[index] ?? { type: "string", minLength: 1 };
      return { name, in: "path", required: true, schema: resolve(schema) };
    }),
    ...Object.entries(query).map(([name, described]) => queryParameter(name, described, resolve)),
    ...Object.entries(headers).map(
      ([name, text]): OpenApiParameter => ({ name, in: "header", description: text, schema: { type: "string" } }),
    ),
  ];
}

function queryParameter(
  name: string,
  { schema, description, required }: QueryDescription,
  resolve: Resolve,
): OpenApiParameter {
  return {
    name,
    in: "query",
    ...(description === undefined ? {} : { description }),
    ...(required ? { required } : {}),
    ...styleOf(schema),
    schema: resolve(schema),
  };
}

function styleOf(schema: JsonSchema): Pick<OpenApiParameter, "style" | "explode" | "example"> {
  if (typeof schema === "boolean") return {};
  if (schema["type"] === "array") return { style: "form", explode: false };
  if (schema["type"] !== "object" && !("$ref" in schema)) return {};
  // Without an example, API consoles start from a generated one that has every member.
  return { style: "deepObject", explode: true, example: {} };
}

function contentOf(
  { schema, contentType = JSON_TYPE }: Pick<AnswerDescription, "contentType"> & { readonly schema: JsonSchema },
  resolve: Resolve,
): OpenApiContent {
  return { [contentType]: { schema: resolve(schema) } };
}

/** A route without described answers may answer with any success. */
function answersOf(
  { description: { answers } }: Operation,
  resolve: Resolve,
): Readonly<Record<string, OpenApiResponse>> {
  const described = Object.entries(answers).map(([status, answer]) => [status, answerOf(answer, resolve)]);
  return described.length > 0 ? Object.fromEntries(described) : { "2XX": { description: "Success" } };
}

function answerOf(
  { description, schema, contentType, headers = {} }: AnswerDescription,
  resolve: Resolve,
): OpenApiResponse {
  const named = Object.entries(headers).map(([name, text]) => [
    name,
    { description: text, schema: { type: "string" } },
  ]);
  return {
    description,
    ...(named.length > 0 ? { headers: Object.fromEntries(named) } : {}),
    ...(schema === undefined
      ? {}
      : { content: contentOf({ schema, ...(contentType ? { contentType } : {}) }, resolve) }),
  };
}

function errorAnswersOf(operation: Operation): OpenApiOperation["responses"] {
  const statuses = errorsOf(operation).map((status) => [
    String(status),
    { $ref: `#/components/responses/${errorResponseOf(status)}` },
  ]);
  return { ...Object.fromEntries(statuses), "5XX": { $ref: "#/components/responses/ServerError" } };
}

/** Operations that a grant can make public may be tried without credentials. */
function securityOf({ route, description }: Operation): OpenApiOperation["security"] {
  if (description.bearer !== undefined) return [{ administrator: [] }];
  return route.scope === undefined ? [] : [{ bearer: [] }, {}];
}

type BodySchema = NonNullable<RouteDescription["body"]>["schema"];

/**
 * The JSON Schema of a body. Checks by code cannot be expressed, and are left out: a document then allows more
 * than the route does.
 */
function bodySchema(schema: BodySchema): JsonSchema {
  if (typeof schema === "boolean" || !isSchema(schema)) return schema;
  // Output: of what is looked at twice, the first look is at its form only.
  const { $schema: _dialect, ...converted } = toJsonSchema(schema, {
    typeMode: "output",
    errorMode: "ignore",
    overrideAction: ({ valibotAction, jsonSchema }) => {
      const { allowed: _words, secret: _isSecret, ...others } = jsonSchema as Readonly<Record<string, unknown>>;
      // A text of n bytes has at most n characters.
      return valibotAction.type === "max_bytes" ? { ...others, maxLength: requirementOf(valibotAction) } : others;
    },
  });
  return converted;
}

const requirementOf = (action: object): number => (action as { readonly requirement: number }).requirement;

function isSchema(schema: object): schema is v.GenericSchema {
  return "~standard" in schema;
}
