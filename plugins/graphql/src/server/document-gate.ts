import {
  type DocumentNode,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
} from "graphql";
import type { GraphqlConfig } from "../contract.js";
import { DocumentMeasure } from "./measure-document.js";

type Limits = Pick<
  GraphqlConfig,
  "depthLimit" | "aliasLimit" | "directiveLimit" | "rootFieldLimit" | "tokenLimit" | "costLimit"
>;

/** How many documents are remembered to have passed, and how long they may be. */
const REMEMBERED = 1000;
const REMEMBERED_LENGTH = 20_000;

/**
 * Stands before the engine: refuses documents that ask for more than the limits before anything validates them, because
 * the rules of GraphQL cost much more than a document's length where it was made for that.
 */
export class DocumentGate {
  readonly #passed = new Set<string>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly limits: Limits,
  ) {}

  /** What is wrong with a document; undefined for one that may pass, and for what is no document at all. */
  check(text: string): GraphQLFormattedError | undefined {
    if (this.#passed.has(text)) return undefined;
    const document = this.#parse(text);
    const refused = document && this.#refusal(document);
    if (document && !refused) this.#remember(text);
    return refused?.toJSON();
  }

  /** The engine says what is wrong with a text that cannot be parsed. */
  #parse(text: string): DocumentNode | undefined {
    try {
      return parse(text, { maxTokens: this.limits.tokenLimit });
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
    return undefined;
  }

  /** @source wire.md section 12, "Depth" */
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
    // The engine finds out only when it executes, and takes it for a fault of the server.
    if (!this.schema.getRootType(operation.operation)) return `The schema has no ${operation.operation} operations`;
    return undefined;
  }

  #remember(text: string): void {
    if (text.length > REMEMBERED_LENGTH) return;
    const [oldest] = this.#passed;
    if (this.#passed.size >= REMEMBERED && oldest !== undefined) this.#passed.delete(oldest);
    this.#passed.add(text);
  }
}

function refuse(message: string, nodes: OperationDefinitionNode): GraphQLError {
  return new GraphQLError(message, { nodes, extensions: { code: "GRAPHQL_VALIDATION_FAILED" } });
}
