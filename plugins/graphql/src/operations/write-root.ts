import { type CreateParams, NotFoundError, type VersionParams } from "@plinth/core";
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
    const documents = tools.app.documents(type.uid);
    const updated =
      type.kind === "singleType"
        ? await documents.upsertSingle(write)
        : await documents.update({ ...write, documentId: String(args["documentId"]) });
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
    const documents = tools.app.documents(type.uid);
    const single = type.kind === "singleType" ? await documents.singleId() : undefined;
    const documentId = single ?? String(args["documentId"] ?? "");
    const params: VersionParams = {
      documentId,
      ability: context.ability,
      selection: selectionOf(tools, plan, { context, info }),
      ...localeOf(type, args),
    };
    const { entries } = await documents.delete(params);
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
