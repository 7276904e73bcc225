import {
  type CreateParams,
  type Document,
  isPlinthError,
  NotFoundError,
  type UpdateParams,
  type VersionParams,
} from "@plinth/core";
import type { ContentType } from "@plinth/core/schema";
import type { Arguments, Resolver } from "../contract.js";
import type { RootPlan } from "../plan.js";
import { type OperationTools, typeOfPlan } from "./operation-tools.js";
import { wireWord } from "./read-arguments.js";
import { type Call, selectionOf } from "./read-root.js";
import { noteVersion } from "./request-version.js";

/** Answers `create<Name>`: the document as written. @throws PLINTH_QUERY_*, PLINTH_INPUT_*, PLINTH_DOCUMENT_* (400) */
export function createCreateResolver(tools: OperationTools, plan: RootPlan): Resolver {
  return async (_parent: unknown, args: Arguments, context, info) =>
    await tools.app.documents(plan.uid).create(readWrite(tools, plan, args, { context, info }));
}

/**
 * Answers `update<Name>`; of a single type it makes the document when there is none.
 *
 * @throws PLINTH_HTTP_NOT_FOUND (404) for a document that does not exist, or that the actor's rule does not reach
 * @throws as createCreateResolver
 */
export function createUpdateResolver(tools: OperationTools, plan: RootPlan): Resolver {
  const type = typeOfPlan(tools, plan);
  return async (_parent: unknown, args: Arguments, context, info) => {
    const write = readWrite(tools, plan, args, { context, info });
    const updated =
      type.kind === "singleType"
        ? await updateSingle(tools, type, write)
        : await tools.app.documents(type.uid).update({ ...write, documentId: String(args["documentId"]) });
    if (!updated) throw new NotFoundError({});
    return updated;
  };
}

/**
 * Answers `delete<Name>`: the document as it was, its published version where it has one.
 *
 * @throws PLINTH_HTTP_NOT_FOUND (404) for a document that does not exist, or that the actor's rule does not reach
 * @source plugins/content-api/WIRE.md#graphql-operations, `deleteX`
 */
export function createDeleteResolver(tools: OperationTools, plan: RootPlan): Resolver {
  const type = typeOfPlan(tools, plan);
  return async (_parent: unknown, args: Arguments, context, info) => {
    const single = type.kind === "singleType" ? await findSingle(tools, type) : undefined;
    const documentId = single ?? String(args["documentId"] ?? "");
    const params: VersionParams = {
      documentId,
      ability: context.ability,
      selection: selectionOf(tools, plan, { context, info }),
      ...localeOf(type, args),
    };
    const { entries } = await tools.app.documents(type.uid).delete(params);
    const deleted = entries.at(-1);
    if (!deleted) throw new NotFoundError({});
    return deleted;
  };
}

function readWrite(tools: OperationTools, plan: RootPlan, args: Arguments, call: Call): CreateParams {
  const type = typeOfPlan(tools, plan);
  const status = type.hasDrafts && wireWord(args["status"]) === "draft" ? "draft" : "published";
  noteVersion(call.context.state, call.info, status);
  return {
    data: args["data"] as CreateParams["data"],
    status,
    visibility: "public",
    ability: call.context.ability,
    selection: selectionOf(tools, plan, call),
    ...localeOf(type, args),
  };
}

function localeOf(type: ContentType, { locale }: Arguments): { readonly locale?: string } {
  return type.isLocalized && typeof locale === "string" && locale !== "" ? { locale } : {};
}

/** Two first writes at once: one makes the document, the other finds it then and changes it. */
async function updateSingle(tools: OperationTools, type: ContentType, write: CreateParams): Promise<Document | null> {
  const documents = tools.app.documents(type.uid);
  const update = async (documentId: string): Promise<Document | null> => {
    const params: UpdateParams = { ...write, documentId };
    return await documents.update(params);
  };
  const known = await findSingle(tools, type);
  if (known !== undefined) return await update(known);
  try {
    return await documents.create(write);
  } catch (error) {
    if (!isPlinthError(error) || error.code !== "PLINTH_DOCUMENT_SINGLE_EXISTS") throw error;
    return await update((await findSingle(tools, type)) ?? "");
  }
}

/** The document of a single type, whatever versions it has. */
async function findSingle({ app }: OperationTools, type: ContentType): Promise<string | undefined> {
  for (const status of ["published", "draft"] as const) {
    const locale = type.isLocalized ? { locale: "*" } : {};
    const found = await app.documents(type.uid).findFirst({ ...locale, status, fields: ["documentId"] });
    if (found) return found.documentId;
  }
  return undefined;
}
