import type { App, Document } from "@plinth/core";
import { TOKEN_TYPE } from "../content-types.js";
import type { ApiToken, ApiTokens, IssuedToken, NewToken } from "../contract.js";
import { createAccessKey, hashAccessKey } from "./access-key.js";
import { assertToken } from "./check-token.js";

/** Makes the service of tokens. @param salt - what keys are hashed with. */
export function createApiTokens(app: App, salt: string): ApiTokens {
  const documents = app.documents(TOKEN_TYPE);
  const check = (values: Readonly<Record<string, unknown>>) => assertToken(values, app.permissions.problemsOf);
  const findOne = async (documentId: string) => documents.findOne({ documentId });
  return {
    create: async (values) => {
      check(values as unknown as Readonly<Record<string, unknown>>);
      const accessKey = createAccessKey();
      const data = { ...dataOf(values), accessKey: hashAccessKey(salt, accessKey) };
      return issued(await documents.create({ data }), accessKey);
    },
    list: async () => (await documents.findMany({ sort: "id", pagination: { limit: -1 } })).map(viewOf),
    find: async (nameOrId) => {
      const [found] = await documents.findMany({ filters: filterOf(nameOrId), pagination: { limit: 1 } });
      return found && viewOf(found);
    },
    update: (documentId, changes) =>
      app.db.transaction(async () => {
        await documents.lock(documentId);
        const known = await findOne(documentId);
        if (!known) return undefined;
        const data = dataOf({ ...inputOf(known), ...changes });
        check(data);
        const updated = await documents.update({ documentId, data });
        return updated ? viewOf(updated) : undefined;
      }),
    regenerate: async (documentId) => {
      const accessKey = createAccessKey();
      const updated = await documents.update({ documentId, data: { accessKey: hashAccessKey(salt, accessKey) } });
      return updated ? issued(updated, accessKey) : undefined;
    },
    revoke: async (documentId) => (await documents.delete({ documentId })).entries.length > 0,
  };
}

/** An id wins over a name that reads like one. */
function filterOf(nameOrId: string): object {
  const isRowId = /^[1-9]\d{0,14}$/.test(nameOrId);
  const names = [{ documentId: nameOrId }, { name: nameOrId }];
  return { $or: isRowId ? [{ id: Number(nameOrId) }, ...names] : names };
}

/** The attributes of a token that a caller may set, without undefined ones. */
function dataOf(values: Partial<NewToken>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function inputOf(document: Document): NewToken {
  const { name, description, type, permissions, expiresAt } = viewOf(document);
  return { name, description, type, permissions, expiresAt };
}

/** Named one by one, so that nothing else of the row can get out. */
function viewOf(document: Document): ApiToken {
  const { id, documentId, name, description, type, permissions, expiresAt, lastUsedAt, createdAt, updatedAt } =
    document as unknown as ApiToken;
  const shown = { id, documentId, name, description, type, permissions: permissions ?? [] };
  return { ...shown, expiresAt, lastUsedAt, createdAt, updatedAt };
}

const issued = (document: Document, accessKey: string): IssuedToken => ({ ...viewOf(document), accessKey });
