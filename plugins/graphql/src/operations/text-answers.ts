import {
  type ApolloServerPlugin,
  type GraphQLRequestContext,
  type GraphQLRequestListener,
  HeaderMap,
} from "@apollo/server";
import type { ContentModel } from "@plinth/core/schema";
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  getVariableValues,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  locatedError,
  type OperationDefinitionNode,
} from "graphql";
import { LRUCache } from "lru-cache";
import type { GraphqlContext } from "../contract.js";
import { requestOf } from "../graphql-context.js";
import { groupFields, type SelectionContext } from "./collect-fields.js";
import type { OperationTools } from "./operation-tools.js";
import type { RequestAllowance } from "./request-allowance.js";
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

/** An answer that PostgreSQL wrote; `data` are a TextData. */
export interface TextAnswer {
  readonly errors?: readonly GraphQLFormattedError[];
  readonly data: Record<string, unknown> | null;
}

/**
 * Answers queries without running resolvers, where every field is a generated one without guards: the JSON that
 * PostgreSQL builds is the answer. A failed read is not repeated by the engine: it would fail again.
 */
export class TextAnswers {
  readonly #plans = new TextPlans();

  constructor(
    private readonly tools: OperationTools,
    private readonly report: ReportError,
  ) {}

  /** @returns undefined where the engine has to answer, or to report an error's place. */
  async answer(request: TextRequest): Promise<TextAnswer | undefined> {
    const { model } = this.tools.app;
    const plans = this.#plans;
    const roots = plans.get(model, request) ?? plans.keep(model, request, planRequest(this.tools, request));
    const own = requestOf(request.contextValue);
    const answer = roots && (await readRoots(roots, own.allowance));
    if (answer === undefined) return undefined;
    own.isText = answer.errors.length === 0;
    const errors = answer.errors.map((error) => this.report(error, request.contextValue));
    const data = answer.text === null ? null : (new TextData(answer.text) as unknown as Record<string, unknown>);
    return { ...(errors.length > 0 ? { errors } : {}), data };
  }
}

/**
 * Has Apollo Server answer with texts where it can.
 *
 * @param isFixed - whether a document that it has accepted is within the limits for all variables.
 */
export function createTextAnswers(
  answers: TextAnswers,
  isFixed: (document: DocumentNode) => boolean,
): ApolloServerPlugin<GraphqlContext> {
  const listener: GraphQLRequestListener<GraphqlContext> = {
    responseForOperation: async (request) => {
      const { document, operation, contextValue } = request;
      const known = requestOf(contextValue);
      const answer = known.needsResolvers ? undefined : await answers.answer(request);
      if (!answer) return null;
      if (isFixed(document)) known.accepted = { document, operation };
      return { http: { headers: new HeaderMap() }, body: { kind: "single" as const, singleResult: answer } };
    },
  };
  return { requestDidStart: async () => listener };
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

/** What a plan is made from. */
type TextRequest = Pick<
  GraphQLRequestContext<GraphqlContext>,
  "schema" | "document" | "operation" | "operationName" | "request" | "contextValue"
>;

/** Plans that are kept; clients can send any number of them. */
const CAPACITY = 1000;

/** Characters of variables beyond which a plan is not kept. */
const MAX_VARIABLES = 2000;

/** Bytes of all plans that are kept, and what a root takes for each character of its document and variables. */
const MOST_BYTES = 32_000_000;
const BYTES_OF_CHARACTER = 50;

/** Characters of the document that roots belong to. */
const lengthOf = ([root]: readonly TextRoot[]): number => root?.nodes[0]?.loc?.source.body.length ?? 0;

/**
 * Cached plans of queries: the same document with the same variables by an actor of equal limits. The
 * engine keeps documents it has parsed, so the same text comes as the same object. All are dropped when the locales
 * change.
 */
class TextPlans {
  readonly #plans = new LRUCache<string, readonly TextRoot[]>({
    max: CAPACITY,
    maxSize: MOST_BYTES,
    maxEntrySize: MOST_BYTES / 8,
    sizeCalculation: (roots, key) => BYTES_OF_CHARACTER * (key.length + lengthOf(roots)),
  });
  readonly #documents = new WeakMap<DocumentNode, number>();
  #documentCount = 0;
  #locales: ContentModel["locales"] | undefined;

  get(model: ContentModel, request: TextRequest): readonly TextRoot[] | undefined {
    this.#follow(model);
    const key = this.#keyOf(request);
    return key === undefined ? undefined : this.#plans.get(key);
  }

  /** Caches a plan if it can be used again, and returns it. */
  keep(model: ContentModel, request: TextRequest, plan: readonly TextRoot[] | undefined): typeof plan {
    if (!plan?.every(({ isReusable }) => isReusable)) return plan;
    this.#follow(model);
    const key = this.#keyOf(request);
    if (key !== undefined) this.#plans.set(key, plan);
    return plan;
  }

  /** A changed locale is a new list of all: default and fallbacks are part of plans. */
  #follow({ locales }: ContentModel): void {
    if (locales === this.#locales) return;
    this.#plans.clear();
    this.#locales = locales;
  }

  #keyOf(request: TextRequest): string | undefined {
    const { document, operationName, contextValue } = request;
    const variables = JSON.stringify(request.request.variables ?? {});
    if (!document || variables.length > MAX_VARIABLES) return undefined;
    const parts = [this.#numberOf(document), operationName ?? "", contextValue.ability.key, variables];
    return parts.join("\n");
  }

  #numberOf(document: DocumentNode): number {
    const known = this.#documents.get(document);
    if (known !== undefined) return known;
    this.#documentCount += 1;
    this.#documents.set(document, this.#documentCount);
    return this.#documentCount;
  }
}
