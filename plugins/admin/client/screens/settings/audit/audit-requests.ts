import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { AuditCheck, AuditHead, AuditList } from "../../../../src/wire/audit.js";
import { api } from "../../../app/api.js";
import { type AuditSearch, queryOf } from "./audit-search.js";

/** What a role has to be granted to read the log. */
export const AUDIT_ACTION = "plugin::audit.read";

const PAGE = "50";

/** The entries that the address asks for, the latest first, page after page. */
export const useEntries = (search: AuditSearch) =>
  useInfiniteQuery({
    queryKey: ["audit", "list", search],
    queryFn: ({ pageParam, signal }) => {
      const more = { limit: PAGE, ...(pageParam === "" ? {} : { after: pageParam }) };
      return api<AuditList>(`/audit?${queryOf(search, more)}`, { signal });
    },
    initialPageParam: "",
    getNextPageParam: ({ meta: { next } }) => next ?? undefined,
  });

/** The latest seal, and what is kept. */
export const useHead = () =>
  useQuery({
    queryKey: ["audit", "head"],
    queryFn: ({ signal }) => api<AuditHead>("/audit/head", { signal }),
  });

/** Checks the latest entries. */
export const checkLatest = (): Promise<AuditCheck> => api<AuditCheck>("/audit/check");

/** The entries as JSON lines. */
export const exportEntries = (search: AuditSearch): Promise<string> => api<string>(`/audit/export?${queryOf(search)}`);
