import type { ApolloServerPlugin, GraphQLRequestListener } from "@apollo/server";
import {
  type DefinitionNode,
  type DocumentNode,
  getNamedType,
  getVariableValues,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  isLeafType,
  Kind,
  Lexer,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  Source,
  TokenKind,
  visit,
} from "graphql";
import { type ComplexityEstimator, getComplexity } from "graphql-query-complexity";
import { LRUCache } from "lru-cache";
import type { GraphqlConfig } from "../config.js";
import type { GraphqlContext } from "../contract.js";
import { DocumentMeasure } from "./measure-document.js";
import { costsMoreToMerge } from "./merge-cost.js";

type Limits = Pick<
  GraphqlConfig,
  "depthLimit" | "aliasLimit" | "directiveLimit" | "rootFieldLimit" | "tokenLimit" | "costLimit" | "mergeLimit"
>;

/** Number and characters (of two bytes at most) of the accepted documents that are remembered, and characters of one. */
const REMEMBERED = 1000;
const REMEMBERED_LENGTH = 4_000_000;
const MAX_LENGTH = 8_000;

/** Keys and items that the variables of a query may have, all levels together; data of a mutation may have more. */
const VARIABLES = 10_000;

/** How many brackets may be open at once; the parser calls itself for each. */
const OPEN_BRACKETS = 200;

/**
 * Runs before the engine: rejects documents beyond the limits before they are validated, because the validation rules
 * of GraphQL can take far longer than the length of a hostile document suggests.
 */
export class DocumentLimits {
  /** Documents within the limits, and whether one of their operations is a mutation. */
  readonly #passed = new LRUCache<string, boolean>({
    max: REMEMBERED,
    maxSize: REMEMBERED_LENGTH,
    maxEntrySize: MAX_LENGTH,
    sizeCalculation: (_mayWrite, text) => text.length,
  });

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly limits: Limits,
  ) {}

  /**
   * What is wrong with a document or its variables; undefined for what may pass, and for what is not a document at all.
   *
   * @param variables - as JSON has them.
   */
  check(text: string, variables?: unknown): GraphQLFormattedError | undefined {
    const mayWrite = this.#passed.get(text);
    const refused = mayWrite === undefined ? this.#refusalOf(text, variables) : refuseVariables(variables, mayWrite);
    return refused?.toJSON();
  }

  /** The engine says what is wrong with a text that cannot be parsed; one that is not a string is rejected here. */
  #refusalOf(text: string, variables: unknown): GraphQLError | undefined {
    try {
      if (isTooNested(text, this.limits.tokenLimit))
        return refuse(`More than ${OPEN_BRACKETS} brackets are open at once`);
      const document = parse(text, { maxTokens: this.limits.tokenLimit });
      const refused = this.#refusal(document);
      if (refused) return refused;
      const mayWrite = document.definitions.some(isMutation);
      this.#passed.set(text, mayWrite);
      return refuseVariables(variables, mayWrite);
    } catch (error) {
      if (error instanceof GraphQLError) return undefined;
      throw error;
    }
  }

  #refusal(document: DocumentNode): GraphQLError | undefined {
    const measure = new DocumentMeasure(document);
    for (const operation of document.definitions) {
      if (operation.kind !== Kind.OPERATION_DEFINITION) continue;
      const problem = this.#problemOf(operation, measure);
      if (problem !== undefined) return refuse(problem, operation);
    }
    const { mergeLimit } = this.limits;
    if (!costsMoreToMerge(document, mergeLimit)) return undefined;
    return refuse(
      `Merging the fields of this document costs more than ${mergeLimit} (mergeLimit); name each field once, and send fewer operations`,
    );
  }

  /** @source plugins/content-api/WIRE.md#graphql-limits */
  #problemOf(operation: OperationDefinitionNode, measure: DocumentMeasure): string | undefined {
    const { depthLimit, aliasLimit, directiveLimit, rootFieldLimit, costLimit } = this.limits;
    const { depth, aliases, directives, size } = measure.measure(operation);
    const name = `'${operation.name?.value ?? ""}'`;
    if (depth > depthLimit) return `${name} exceeds maximum operation depth of ${depthLimit}`;
    if (aliases > aliasLimit) return `${name} has more than ${aliasLimit} aliases`;
    if (directives > directiveLimit) return `${name} has more than ${directiveLimit} directives`;
    if (size > costLimit) return `${name} costs more than ${costLimit}; ask for less at once`;
    if (measure.countRootFields(operation) > rootFieldLimit)
      return `${name} has more than ${rootFieldLimit} root fields`;
    // The engine would notice only at execution, and report an internal error.
    if (!this.schema.getRootType(operation.operation)) return `The schema has no ${operation.operation} operations`;
    return undefined;
  }
}

const isMutation = (definition: DefinitionNode): boolean =>
  definition.kind === Kind.OPERATION_DEFINITION && definition.operation === OperationTypeNode.MUTATION;

function refuseVariables(variables: unknown, mayWrite: boolean): GraphQLError | undefined {
  if (mayWrite || countLeft(variables, VARIABLES) >= 0) return undefined;
  return refuse(`The variables have more than ${VARIABLES} keys and items; ask for less at once`);
}

/** The rest of a budget after counting each key and item of a value; it stops below 0. */
function countLeft(value: unknown, left: number): number {
  if (typeof value !== "object" || value === null) return left;
  const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  let rest = left - items.length;
  for (const item of items) {
    if (rest < 0) return rest;
    rest = countLeft(item, rest);
  }
  return rest;
}

/** Whether too many brackets are open at once in a text. Reads no further than the parser would. @throws GraphQLError for invalid tokens */
export function isTooNested(text: string, tokenLimit: number): boolean {
  const lexer = new Lexer(new Source(text));
  let open = 0;
  for (let count = 0; count < tokenLimit; count += 1) {
    const { kind } = lexer.advance();
    if (kind === TokenKind.EOF) return false;
    if (OPENING.has(kind)) open += 1;
    else if (CLOSING.has(kind)) open -= 1;
    if (open > OPEN_BRACKETS) return true;
  }
  return false;
}

const OPENING: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSING: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

function refuse(message: string, nodes?: OperationDefinitionNode): GraphQLError {
  return new GraphQLError(message, { ...(nodes ? { nodes } : {}), extensions: { code: "GRAPHQL_VALIDATION_FAILED" } });
}

/** What a field with fields of its own costs: in the database it is a join or a statement. */
const JOIN_COST = 10;

const estimate: ComplexityEstimator = ({ field, childComplexity }) => {
  if (field.name.startsWith("__")) return 0;
  return childComplexity + (isLeafType(getNamedType(field.type)) ? 1 : JOIN_COST);
};

/**
 * Refuses operations whose fields cost more than the limit, fragments counted wherever they are spread. How many rows
 * there are is not part of it: amountLimit bounds every list.
 *
 * @param accepted - gets the documents of one operation whose cost is the same for all variables, and within the limit.
 */
export function createCostLimit(limit: number, accepted: WeakSet<DocumentNode>): ApolloServerPlugin<GraphqlContext> {
  const listener: GraphQLRequestListener<GraphqlContext> = {
    didResolveOperation: async ({ schema, document, operation, operationName, request }) => {
      if (accepted.has(document)) return;
      // The engine says what is wrong with them, right after this.
      if (getVariableValues(schema, operation?.variableDefinitions ?? [], request.variables ?? {}).errors) return;
      const cost = getComplexity({
        schema,
        query: document,
        estimators: [estimate],
        ...(operationName ? { operationName } : {}),
        variables: request.variables ?? {},
      });
      if (cost > limit) throw tooCostly(cost, limit);
      if (isFixed(document)) accepted.add(document);
    },
  };
  return { requestDidStart: async () => listener };
}

/** Whether the cost is the same for all variables and every operation of the document. */
function isFixed(document: DocumentNode): boolean {
  let [operations, directives] = [0, 0];
  visit(document, {
    [Kind.OPERATION_DEFINITION]: () => {
      operations += 1;
    },
    [Kind.DIRECTIVE]: () => {
      directives += 1;
    },
  });
  return operations === 1 && directives === 0;
}

function tooCostly(cost: number, limit: number): GraphQLError {
  return new GraphQLError(`The operation costs ${cost}, and ${limit} is the limit; ask for less at once`, {
    extensions: { code: "GRAPHQL_VALIDATION_FAILED", http: { status: 400 } },
  });
}
