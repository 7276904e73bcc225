import type { ContentModel } from "@plinth/core/schema";
import type { OpenApiConfig } from "../config.js";
import type { OpenApiDocument, OpenApiOperation } from "../contract.js";
import { SchemaSet } from "../schemas/schema-set.js";
import { describeOperation } from "./describe-operation.js";
import { errorResponses, errorSchemas } from "./error-responses.js";
import type { Operation } from "./list-operations.js";

const SECURITY_SCHEMES = {
  bearer: {
    type: "http",
    scheme: "bearer",
    description: "An API token, or the token of a sign-in. Without one the request is public.",
  },
  administrator: {
    type: "http",
    scheme: "bearer",
    description: "An API token of the type admin, or what an administrator's login gives.",
  },
} as const;

/** Writes the document of some operations; in it are the schemas that these need. */
export function buildDocument(
  operations: readonly Operation[],
  model: ContentModel,
  config: OpenApiConfig,
): OpenApiDocument {
  const schemas = new SchemaSet(model);
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const operation of operations) {
    const described = describeOperation(operation, (schema) => schemas.resolve(schema));
    paths[operation.path] = { ...paths[operation.path], [operation.route.method.toLowerCase()]: described };
  }
  const tags = [...new Set(operations.map(({ description }) => description.tag))].sort();
  return {
    openapi: "3.1.0",
    info: { title: config.title, version: config.version, description: config.description },
    servers: [{ url: config.server }],
    tags: tags.map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...schemas.all(), ...errorSchemas() },
      responses: errorResponses(),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}
