import { type ApolloServerPlugin, HeaderMap } from "@apollo/server";
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  getVariableValues,
  locatedError,
  type OperationDefinitionNode,
} from "graphql";
import type { GraphqlContext } from "../contract.js";
import { groupFields, type SelectionContext } from "./collect-fields.js";
import type { OperationTools } from "./operation-tools.js";
import { allowanceOf, type RequestAllowance } from "./request-allowance.js";
import { TextPlans, type TextRequest } from "./text-plans.js";
import { planTextRoot, type TextRoot } from "./text-root.js";

/** An answer's data as PostgreSQL wrote it; parsed on first access. */
class TextData {
  /** @param text - a JSON object. */
  constructor(readonly text: string) {}

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** The body of an answer; data that are text already go out as they are. */
export function stringifyAnswer(answer: object): string {
  const { data, errors, extensions } = answer as { data?: unknown; errors?: unknown; extensions?: unknown };
  if (!(data instanceof TextData) || errors !== undefined || extensions !== undefined)
    return `${JSON.stringify(answer)}\n`;
  return `{"data":${data.text}}\n`;
}

/** Logs an error of a field if it has to be logged. @returns the error for the client. */
export type ReportError = (error: GraphQLError, context: GraphqlContext) => GraphQLFormattedError;

/**
 * Answers queries without running resolvers, where every field is a generated one without guards: the JSON that
 * PostgreSQL builds is the answer. Everything else is left to the engine. A failed read is not repeated by the engine:
 * it would fail again.
 */
export function createTextAnswers(tools: OperationTools, report: ReportError): ApolloServerPlugin<GraphqlContext> {
  const plans = new TextPlans();
  return {
    requestDidStart: async () => ({
      responseForOperation: async (request) => {
        const roots =
          plans.get(tools.app.model, request) ?? plans.keep(tools.app.model, request, planRequest(tools, request));
        const answer = roots && (await readRoots(roots, allowanceOf(request.contextValue)));
        if (answer === undefined) return null;
        const errors = answer.errors.map((error) => report(error, request.contextValue));
        const data = answer.text === null ? null : (new TextData(answer.text) as unknown as Record<string, unknown>);
        const singleResult = { data, ...(errors.length > 0 ? { errors } : {}) };
        return { http: { headers: new HeaderMap() }, body: { kind: "single" as const, singleResult } };
      },
    }),
  };
}

/** The results of the fields of an operation. */
interface ReadAnswer {
  /** A JSON object; null where a field failed that cannot be null. */
  readonly text: string | null;
  readonly errors: readonly GraphQLError[];
}

/** @returns undefined where there is a forbidden null: the engine reports its place. */
async function readRoots(roots: readonly TextRoot[], allowance: RequestAllowance): Promise<ReadAnswer | undefined> {
  const results = await Promise.all(roots.map((root) => readRoot(root, allowance)));
  const errors = results.flatMap((result) => (result instanceof GraphQLError ? [result] : []));
  if (results.includes(undefined) && errors.length === 0) return undefined;
  if (roots.some(({ isRequired }, index) => isRequired && typeof results[index] !== "string"))
    return { text: null, errors };
  const members = roots.map(({ key }, index) => {
    const result = results[index];
    return `${JSON.stringify(key)}:${typeof result === "string" ? result : "null"}`;
  });
  return { text: `{${members.join(",")}}`, errors };
}

/** The error of a field that failed has its place. */
async function readRoot(
  { key, nodes, read }: TextRoot,
  allowance: RequestAllowance,
): Promise<string | GraphQLError | undefined> {
  try {
    return await read(allowance);
  } catch (error) {
    return locatedError(error, nodes, [key]);
  }
}

function planRequest(tools: OperationTools, request: TextRequest): readonly TextRoot[] | undefined {
  const { schema, document, operation, contextValue } = request;
  const type = schema.getQueryType();
  if (!document || operation?.operation !== "query" || !type) return undefined;
  const variableValues = variablesOf(schema, operation, request.request.variables);
  if (!variableValues) return undefined;
  const selection: SelectionContext = { schema, fragments: fragmentsOf(document), variableValues };
  const roots: TextRoot[] = [];
  for (const [key, nodes] of groupFields(selection, type, [operation.selectionSet])) {
    const root = planTextRoot(tools, { selection, type, key, nodes }, contextValue);
    if (!root) return undefined;
    roots.push(root);
  }
  return roots;
}

function variablesOf(schema: GraphQLSchema, operation: OperationDefinitionNode, given: unknown) {
  const { coerced } = getVariableValues(
    schema,
    operation.variableDefinitions ?? [],
    (given ?? {}) as Record<string, unknown>,
  );
  return coerced;
}

const fragments = new WeakMap<DocumentNode, Record<string, FragmentDefinitionNode>>();

function fragmentsOf(document: DocumentNode): Record<string, FragmentDefinitionNode> {
  const known = fragments.get(document);
  if (known) return known;
  const found: Record<string, FragmentDefinitionNode> = Object.create(null);
  for (const definition of document.definitions)
    if (definition.kind === "FragmentDefinition") found[definition.name.value] = definition;
  fragments.set(document, found);
  return found;
}
