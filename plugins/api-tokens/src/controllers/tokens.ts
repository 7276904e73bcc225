import { type Handler, type HttpContext, NotFoundError } from "@plinth/core";
import type { ApiTokens, NewToken } from "../contract.js";

/** The endpoints of tokens, by what they do. */
export type TokenEndpoints = Readonly<
  Record<"list" | "findOne" | "create" | "update" | "regenerate" | "revoke", Handler>
>;

/** Makes the endpoints of tokens. What a body says is checked by the service. */
export function createTokenEndpoints(tokens: () => ApiTokens): TokenEndpoints {
  return {
    list: async () => ({ data: await tokens().list() }),
    findOne: async (ctx) => ({
      data: found((await tokens().list()).find(({ documentId }) => documentId === idOf(ctx))),
    }),
    create: async (ctx) => {
      const data = await tokens().create(bodyOf(ctx) as unknown as NewToken);
      ctx.status = 201;
      return { data };
    },
    update: async (ctx) => ({ data: found(await tokens().update(idOf(ctx), bodyOf(ctx))) }),
    regenerate: async (ctx) => ({ data: found(await tokens().regenerate(idOf(ctx))) }),
    revoke: async (ctx) => {
      if (!(await tokens().revoke(idOf(ctx)))) throw new NotFoundError({});
      ctx.status = 204;
    },
  };
}

const idOf = (ctx: HttpContext): string => ctx.params["documentId"] ?? "";

/** With or without the envelope of the content API. */
function bodyOf(ctx: HttpContext): Readonly<Record<string, unknown>> {
  const body = recordOf(ctx.request.body);
  return Object.hasOwn(body, "data") ? recordOf(body["data"]) : body;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new NotFoundError({});
  return value;
}
