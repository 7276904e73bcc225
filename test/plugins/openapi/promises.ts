import type { OpenApiDocument, OpenApiOperation, OpenApiResponse } from "@plinth/plugin-openapi";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";

/** An answer, with its body parsed where it is JSON. */
export interface Received {
  readonly status: number;
  readonly contentType: string;
  readonly body: unknown;
}

/** What a document promises of answers. */
export interface Promises {
  /** What is wrong with an answer; undefined when it is as promised. */
  broken(operation: OpenApiOperation, received: Received): string | undefined;
  /** Whether a value is what a schema of the document allows. */
  allows(schema: unknown, value: unknown): boolean;
}

const BASE = "https://document.test/";

/**
 * Reads the promises of a document, more strictly than they are meant: of entries and components, what is not named may
 * not be there, so that nothing is answered that the document does not tell of.
 */
export function readPromises(document: OpenApiDocument): Promises {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (formats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addSchema({ $id: BASE, components: absolute(closeAnswers(document)) });
  const compiled = new Map<unknown, ValidateFunction>();
  const compile = (schema: unknown) => {
    const known = compiled.get(schema) ?? ajv.compile(absolute(schema) as object);
    compiled.set(schema, known);
    return known;
  };
  return {
    allows: (schema, value) => compile(schema)(value) === true,
    broken: (operation, { status, contentType, body }) => {
      const response = responseOf(document, operation, status);
      if (!response) return `${status} is not documented`;
      const { content } = response;
      if (!content) return body === "" ? undefined : `a body, where ${status} has none`;
      const described = content[contentType] ?? content["*/*"];
      if (!described) return `a body of ${contentType}, which is not documented for ${status}`;
      if (contentType !== "application/json") return undefined;
      const check = compile(described.schema);
      return check(body) ? undefined : `${ajv.errorsText(check.errors)} in ${JSON.stringify(body).slice(0, 600)}`;
    },
  };
}

function responseOf(
  document: OpenApiDocument,
  { responses }: OpenApiOperation,
  status: number,
): OpenApiResponse | undefined {
  const found = responses[String(status)] ?? responses[`${Math.floor(status / 100)}XX`];
  if (!found || !("$ref" in found)) return found;
  return document.components.responses[found.$ref.split("/").at(-1) ?? ""] as OpenApiResponse | undefined;
}

/** Schemas that stand in an allOf beside others are closed there. */
function closeAnswers(document: OpenApiDocument): object {
  const { components } = document;
  const joined = new Set(JSON.stringify(document).match(/(?<="allOf":\[\{"\$ref":"#\/components\/schemas\/)\w+/g));
  const schemas = Object.entries(components.schemas).map(([name, schema]) => [
    name,
    isEntry(schema) && !joined.has(name) ? { ...(schema as object), additionalProperties: false } : schema,
  ]);
  return { ...components, schemas: Object.fromEntries(schemas) as object };
}

function isEntry(schema: unknown): boolean {
  const { properties = {}, additionalProperties } = schema as { properties?: object; additionalProperties?: unknown };
  return additionalProperties === undefined && ("__type" in properties || "__component" in properties);
}

function absolute(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(absolute);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    key === "$ref" && String(inner).startsWith("#") ? `${BASE}${String(inner)}` : absolute(inner),
  ]);
  return Object.fromEntries(entries);
}
