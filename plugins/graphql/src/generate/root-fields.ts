import type { ContentType } from "@plinth/core/schema";
import nexus from "nexus";
import { inputName, mutationName, queryNames, rootCollectionName, typeName } from "../names.js";
import type { RootOperation, RootPlan } from "../plan.js";
import type { Generation } from "./generation.js";
import {
  documentArgument,
  type FieldArguments,
  listArguments,
  localeArgument,
  type TypeRef,
  versionArguments,
  writeArguments,
} from "./list-arguments.js";

interface RootField {
  readonly name: string;
  readonly type: TypeRef;
  readonly args: FieldArguments;
  readonly operation: RootOperation;
}

/** The fields that a content-type adds to Query and Mutation. */
export function rootFields(generation: Generation, type: ContentType) {
  const offered = ({ operation }: RootField) => hasOperation(generation, type, operation);
  return [
    rootType(generation, type, "Query", queryFields(type).filter(offered)),
    rootType(generation, type, "Mutation", mutationFields(type).filter(offered)),
  ].flat();
}

/** Whether the schema has a field of Query or Mutation for a content-type. */
export function hasOperation({ rules }: Generation, type: ContentType, operation: RootOperation): boolean {
  const isSingle = type.kind === "singleType";
  if (isSingle && (operation === "list" || operation === "connection" || operation === "create")) return false;
  const { areQueriesEnabled, areMutationsEnabled, isActionEnabled } = rules.type(type.uid);
  if (operation === "one") return areQueriesEnabled && isActionEnabled(isSingle ? "find" : "findOne");
  if (operation === "list" || operation === "connection") return areQueriesEnabled && isActionEnabled("find");
  return areMutationsEnabled && isActionEnabled(operation);
}

function rootType(
  { names, resolvers }: Generation,
  type: ContentType,
  root: "Query" | "Mutation",
  fields: readonly RootField[],
) {
  if (fields.length === 0) return [];
  for (const { name, operation } of fields) names.claim(`${root}.${name}`, `the ${operation} of ${type.uid}`);
  const extension = nexus.extendType({
    type: root,
    definition(t) {
      for (const { name, type: answer, args, operation } of fields) {
        const plan: RootPlan = { kind: "root", uid: type.uid, operation };
        t.field(name, { type: answer, args, extensions: { plinth: plan }, resolve: resolvers.root(plan) });
      }
    },
  });
  return [extension];
}

function queryFields(type: ContentType): readonly RootField[] {
  const { one, list, connection } = queryNames(type);
  const isSingle = type.kind === "singleType";
  const args = { ...listArguments(type), ...versionArguments(type) };
  return [
    {
      name: one,
      type: typeName(type),
      args: { ...(isSingle ? {} : documentArgument), ...versionArguments(type) },
      operation: "one",
    },
    { name: list, type: nexus.nonNull(nexus.list(typeName(type))), args, operation: "list" },
    { name: connection, type: rootCollectionName(type), args, operation: "connection" },
  ];
}

function mutationFields(type: ContentType): readonly RootField[] {
  const document = type.kind === "singleType" ? {} : documentArgument;
  const data: FieldArguments = { data: nexus.arg({ type: nexus.nonNull(inputName(type)) }) };
  const field = (operation: "create" | "update" | "delete", args: FieldArguments): RootField => {
    return { name: mutationName(operation, type), type: typeName(type), args, operation };
  };
  return [
    field("create", { ...data, ...writeArguments(type) }),
    field("update", { ...document, ...data, ...writeArguments(type) }),
    field("delete", { ...document, ...localeArgument(type) }),
  ];
}
