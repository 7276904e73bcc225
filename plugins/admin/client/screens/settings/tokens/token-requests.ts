import { useQuery, useQueryClient } from "@tanstack/react-query";
import type {
  GrantableActions,
  IssuedTokenAnswer,
  TokenKind,
  TokenList,
  TokenRule,
  TokenView,
} from "../../../../src/wire/tokens.js";
import { api } from "../../../app/api.js";

/** What a role has to be granted to manage tokens. */
export const TOKENS_ACTION = "plugin::admin.tokens";

const PATH = "/admin/api-tokens";
const KEY = ["tokens"];

/** What is sent of a token. */
export interface TokenValues {
  readonly name: string;
  readonly description: string | null;
  readonly type: TokenKind;
  readonly permissions: readonly (string | TokenRule)[];
  /** ISO 8601; null: never. */
  readonly expiresAt: string | null;
}

/** All tokens; those of the configuration beside them. */
export const useTokens = () =>
  useQuery({ queryKey: [...KEY, "list"], queryFn: ({ signal }) => api<TokenList>(PATH, { signal }) });

/** One token. */
export const useToken = (documentId: string | undefined) =>
  useQuery({
    queryKey: [...KEY, "one", documentId],
    queryFn: ({ signal }) => api<{ readonly data: TokenView }>(`${PATH}/${documentId}`, { signal }),
    enabled: documentId !== undefined,
    staleTime: 0,
  });

/** What permissions may name. */
export const useGrantable = () =>
  useQuery({
    queryKey: ["grantable"],
    queryFn: ({ signal }) => api<GrantableActions>("/admin/permissions", { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Writes of tokens; what is shown of them is read again after each. */
export function useTokenWrites() {
  const queries = useQueryClient();
  const after = async <T>(work: Promise<T>, changed: readonly string[] = KEY): Promise<T> => {
    const done = await work;
    await queries.invalidateQueries({ queryKey: changed });
    return done;
  };
  return {
    create: (values: TokenValues) => after(api<IssuedTokenAnswer>(PATH, { method: "POST", body: { data: values } })),
    update: (documentId: string, values: TokenValues) =>
      after(api(`${PATH}/${documentId}`, { method: "PUT", body: { data: values } })),
    regenerate: (documentId: string) =>
      after(api<IssuedTokenAnswer>(`${PATH}/${documentId}/regenerate`, { method: "POST" })),
    // What is gone is not read again.
    revoke: (documentId: string) => after(api(`${PATH}/${documentId}`, { method: "DELETE" }), [...KEY, "list"]),
  };
}
