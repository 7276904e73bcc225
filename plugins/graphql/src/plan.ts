import type {
  GraphQLFieldExtensions,
  GraphQLObjectTypeExtensions,
  GraphQLSchema,
  GraphQLUnionTypeExtensions,
} from "graphql";
import type { Resolver, ShadowAction } from "./contract.js";

/** What a field of Query or Mutation does with a content-type. */
export type RootOperation = "one" | "list" | "connection" | "create" | "update" | "delete";

/** A generated field of Query or Mutation. */
export interface RootPlan {
  readonly kind: "root";
  readonly uid: string;
  readonly operation: RootOperation;
}

/**
 * How an attribute stands in its type:
 *
 * | form       | field                                                                  |
 * |------------|-------------------------------------------------------------------------|
 * | scalar     | a value without fields of its own, system fields and `id` among them    |
 * | value      | a to-one relation or media                                              |
 * | list       | a to-many relation or media: `categories`, `localizations`              |
 * | connection | the same as `{ nodes }`: `categories_connection`                        |
 * | component  | one component, or a list of them                                        |
 * | zone       | a dynamic zone                                                          |
 * | morph      | a relation to documents of any type, one or a list                      |
 */
export type AttributeForm = "scalar" | "value" | "list" | "connection" | "component" | "zone" | "morph";

/** A generated field of a content-type or component. */
export interface AttributePlan {
  readonly kind: "attribute";
  /** Name of the attribute in the content model; that of the field but for `_connection`. */
  readonly attribute: string;
  readonly form: AttributeForm;
}

/** The meaning of a generated field; in the field's `extensions.plinth`, for code that walks a selection. */
export type FieldPlan = RootPlan | AttributePlan;

/**
 * The meaning of a generated type; in the type's `extensions.plinth`. A collection has `nodes`, and `pageInfo`
 * when it is the answer of a root field; both are read from the parent by their names.
 */
export type TypePlan =
  | { readonly kind: "entry"; readonly uid: string }
  | { readonly kind: "component"; readonly uid: string }
  | { readonly kind: "collection"; readonly uid: string }
  | { readonly kind: "zone"; readonly components: readonly string[] }
  | { readonly kind: "morph" };

/** What answers the generated fields. */
export interface Resolvers {
  root(plan: RootPlan): Resolver;
  attribute(plan: AttributePlan): Resolver;
  /** Uid of the component or content-type that an item of a zone or of a morph relation is; undefined for no such item. */
  typeOf(item: unknown): string | undefined;
}

/** Which parts of the content model the schema has. */
export interface ShadowRules {
  /** Answers for content-types and components. */
  type(uid: string): {
    readonly isEnabled: boolean;
    readonly areQueriesEnabled: boolean;
    readonly areMutationsEnabled: boolean;
    isActionEnabled(action: ShadowAction): boolean;
  };
  field(
    uid: string,
    name: string,
  ): { readonly hasOutput: boolean; readonly hasInput: boolean; readonly hasFilters: boolean };
}

declare module "graphql" {
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    plinth?: FieldPlan;
    /** Attributes of the parent that an extension's resolver, policy or middleware reads; undefined: it did not say. */
    plinthNeeds?: readonly string[];
  }
  interface GraphQLObjectTypeExtensions<_TSource, _TContext> {
    plinth?: TypePlan;
  }
  interface GraphQLUnionTypeExtensions {
    plinth?: TypePlan;
  }
}

/** What a field of the schema does; undefined for fields that were not generated. */
export function fieldPlan({
  extensions,
}: {
  readonly extensions: Readonly<GraphQLFieldExtensions<unknown, unknown>>;
}): FieldPlan | undefined {
  return extensions.plinth;
}

/** What a type of the schema stands for; undefined for types that were not generated. */
export function typePlan({
  extensions,
}: {
  readonly extensions: Readonly<GraphQLObjectTypeExtensions> | Readonly<GraphQLUnionTypeExtensions>;
}): TypePlan | undefined {
  return extensions.plinth;
}

/** Notes on a schema the rules that it was made by, where something must not be filtered or sorted by. */
export function attachRules(schema: GraphQLSchema, rules: ShadowRules): void {
  schema.extensions = { ...schema.extensions, plinthRules: rules };
}

/** The rules that a schema was made by; undefined where nothing is hidden. */
export function rulesOf(schema: GraphQLSchema): ShadowRules | undefined {
  return schema.extensions["plinthRules"] as ShadowRules | undefined;
}
