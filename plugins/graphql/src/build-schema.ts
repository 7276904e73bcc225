import { type App, isPlinthError } from "@plinth/core";
import { type GraphQLSchema, validateSchema } from "graphql";
import nexus from "nexus";
import type { GraphqlConfig } from "./config.js";
import { InvalidExtensionsError, InvalidSchemaError } from "./errors.js";
import { addSubscriptions } from "./extension/add-subscriptions.js";
import { applyExtension } from "./extension/apply-extension.js";
import { extendWithSdl } from "./extension/extend-with-sdl.js";
import { type MergedExtension, mergeExtensions } from "./extension/merge-extensions.js";
import type { SchemaChanges } from "./extension/schema-changes.js";
import { generateTypes } from "./generate/generate-types.js";
import { createResolvers } from "./operations/resolvers.js";
import { attachRules } from "./plan.js";

/**
 * Makes the schema of an app: the types of its content model, and what extensions make of them.
 *
 * @throws PLINTH_GRAPHQL_EXTENSIONS_INVALID, PLINTH_GRAPHQL_SCHEMA_INVALID, PLINTH_GRAPHQL_NAMES_TAKEN (500)
 */
export function buildSchema(app: App, config: GraphqlConfig, changes: SchemaChanges): GraphQLSchema {
  const { merged, problems } = mergeExtensions(changes.close({ nexus, app }));
  const schema = makeSchema(app, config, { changes, merged });
  const { shadowCrud } = changes;
  if (shadowCrud.hidesFilters) attachRules(schema, shadowCrud.rules(config.shadowCRUD));
  const found = [...shadowCrud.problems(app.model), ...problems, ...applyExtension(schema, merged, app)];
  if (found.length > 0) throw new InvalidExtensionsError({ problems: found });
  return app.has("live") ? addSubscriptions(schema) : schema;
}

interface SchemaParts {
  readonly changes: SchemaChanges;
  readonly merged: MergedExtension;
}

/** @throws PLINTH_GRAPHQL_SCHEMA_INVALID (500) for what nexus, the parser of SDL or GraphQL itself does not accept */
function makeSchema(app: App, config: GraphqlConfig, { changes, merged }: SchemaParts): GraphQLSchema {
  const rules = changes.shadowCrud.rules(config.shadowCRUD);
  const generated = generateTypes(app.model, rules, createResolvers(app, config));
  const schema = explained(() => {
    const made = nexus.makeSchema({
      types: [...generated.types, ...merged.types],
      plugins: [...merged.plugins],
      shouldGenerateArtifacts: false,
    });
    return generated.finish(extendWithSdl(made, merged.typeDefs));
  });
  const faults = validateSchema(schema);
  if (faults.length > 0) throw new InvalidSchemaError({ problems: faults.map(({ message }) => message) });
  return schema;
}

function explained<T>(make: () => T): T {
  try {
    return make();
  } catch (cause) {
    if (isPlinthError(cause)) throw cause;
    throw new InvalidSchemaError({ problems: [cause instanceof Error ? cause.message : String(cause)] }, { cause });
  }
}
