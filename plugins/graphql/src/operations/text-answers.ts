import { type ApolloServerPlugin, HeaderMap } from "@apollo/server";
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getVariableValues,
  type OperationDefinitionNode,
} from "graphql";
import type { GraphqlContext } from "../contract.js";
import type { SelectionContext } from "./collect-fields.js";
import type { OperationTools } from "./operation-tools.js";
import { groupFields } from "./plan-text.js";
import { TextPlans, type TextRequest } from "./text-plans.js";
import { planTextRoot, type TextRoot } from "./text-root.js";

/** An answer's data as PostgreSQL wrote it; parsed for whoever looks at it. */
export class TextData {
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

/**
 * Answers queries without running resolvers, where every field is a generated one that nothing stands around: the JSON
 * that PostgreSQL builds is the answer. Everything else, and whatever goes wrong, is left to the engine, which knows the
 * place of an error.
 */
export function createTextAnswers(tools: OperationTools): ApolloServerPlugin<GraphqlContext> {
  const plans = new TextPlans();
  return {
    requestDidStart: async () => ({
      responseForOperation: async (request) => {
        const roots =
          plans.get(tools.app.model, request) ?? plans.keep(tools.app.model, request, planRequest(tools, request));
        const text = roots && (await readRoots(roots));
        if (text === undefined) return null;
        const singleResult = { data: new TextData(text) as unknown as Record<string, unknown> };
        return { http: { headers: new HeaderMap() }, body: { kind: "single" as const, singleResult } };
      },
    }),
  };
}

/** @returns undefined where a read failed: the engine asks again, and says of which field this is the error. */
async function readRoots(roots: readonly TextRoot[]): Promise<string | undefined> {
  const texts = await Promise.all(roots.map(({ read }) => read())).catch(() => [undefined]);
  if (texts.includes(undefined)) return undefined;
  return `{${roots.map(({ key }, index) => `${JSON.stringify(key)}:${texts[index]}`).join(",")}}`;
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
    const root = planTextRoot(tools, { selection, type, key, nodes, ability: contextValue.ability });
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
