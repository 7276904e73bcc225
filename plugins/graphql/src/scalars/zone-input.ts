import {
  coerceInputValue,
  GraphQLError,
  type GraphQLInputObjectType,
  GraphQLScalarType,
  Kind,
  type ObjectValueNode,
  type ValueNode,
  valueFromAST,
  valueFromASTUntyped,
} from "graphql";
import { inspectValue } from "./inspect-value.js";
import { readLiteral } from "./read-literal.js";

/** A component that may stand in a dynamic zone. */
export interface ZoneComponent {
  /** Uid: `sections.hero`. */
  readonly uid: string;
  /** Name of its type: `ComponentSectionsHero`. */
  readonly type: string;
  /** Name of its input: `ComponentSectionsHeroInput`. */
  readonly input: string;
}

/** The input of a component by its name; asked when a value comes. */
export type InputOf = (name: string) => GraphQLInputObjectType;

/** Names of the inputs that the items of a dynamic zone are checked by; none for other scalars. */
export function zoneInputsOf({ extensions }: GraphQLScalarType): readonly string[] {
  const plan = extensions["plinth"] as { readonly inputs?: readonly string[] } | undefined;
  return plan?.inputs ?? [];
}

type Variables = Readonly<Record<string, unknown>> | null | undefined;
type Fields = Readonly<Record<string, unknown>>;

/**
 * What a write takes for an item of a dynamic zone: the values of a component, and `__typename`, which says of which.
 * GraphQL has no input for one of several types, so that this is a scalar; its values are checked all the same, by the
 * input of the component that they name. The resolver gets `{ __component: "sections.hero", title: "..." }`.
 *
 * @source plugins/content-api/WIRE.md#graphql-types
 */
export function zoneInput(name: string, components: readonly ZoneComponent[], inputOf: InputOf): GraphQLScalarType {
  const read = (value: unknown): Fields => {
    const { component, fields } = splitItem(value, components);
    return { __component: component.uid, ...coerceFields(component, fields, inputOf) };
  };
  const readNode = (node: ValueNode, variables: Variables): Fields => {
    const item = read(valueFromASTUntyped(node, variables));
    return { ...item, ...readExactly(node, variables, inputOf(nameOf(item, components))) };
  };
  return new GraphQLScalarType({
    name,
    description: describe(components),
    extensions: { plinth: { inputs: components.map(({ input }) => input) } },
    parseValue: read,
    parseLiteral: (node, variables) => readLiteral(node, variables, () => readNode(node, variables)),
  });
}

const describe = (components: readonly ZoneComponent[]): string =>
  [
    "An item, which says by `__typename` what it is:",
    ...components.map(({ type, input }) => `- \`${type}\`: the fields of \`${input}\``),
  ].join("\n");

function splitItem(
  value: unknown,
  components: readonly ZoneComponent[],
): { readonly component: ZoneComponent; readonly fields: Fields } {
  const given: Fields = typeof value === "object" && value !== null ? { ...value } : {};
  const { __typename: type, ...fields } = given;
  const component = components.find((candidate) => candidate.type === type);
  if (component) return { component, fields };
  const known = components.map((candidate) => candidate.type).join(", ");
  throw new GraphQLError(`__typename cannot be ${inspectValue(type)}; write one of ${known}.`);
}

function coerceFields(component: ZoneComponent, fields: Fields, inputOf: InputOf): Fields {
  const coerced: unknown = coerceInputValue(fields, inputOf(component.input), (path, _invalid, error) => {
    throw new GraphQLError(`${[component.type, ...path].join(".")}: ${error.message}`);
  });
  return coerced as Fields;
}

const nameOf = (item: Fields, components: readonly ZoneComponent[]): string =>
  components.find(({ uid }) => uid === item["__component"])?.input ?? "";

/**
 * A literal read by its type, which keeps the digits of long numbers; nothing where only the lenient reading takes it,
 * as with an enum's value in quotes.
 */
function readExactly(node: ValueNode, variables: Variables, type: GraphQLInputObjectType): Fields {
  if (node.kind !== Kind.OBJECT) return {};
  const fields = node.fields.filter((field) => field.name.value !== "__typename");
  const exact: ObjectValueNode = { ...node, fields };
  return (valueFromAST(exact, type, variables) as Fields | undefined) ?? {};
}
