import { useQuery } from "@tanstack/react-query";
import type { NamedDocuments, NamesRequest } from "../../../src/wire/content.js";
import type { VersionContent, VersionView } from "../../../src/wire/history.js";
import { api } from "../../app/api.js";
import { useSession } from "../../app/session.js";
import { type DocumentPlace, queryOf } from "../edit/entry-requests.js";
import { type ReadVersion, targetsIn, versionLeaves } from "./version-leaves.js";
import type { Leaves } from "../../form/shape.js";

/** A version for as long as a screen is open: what is in it does not change, only what it links to. */
const STALE = 60_000;

/** Path of a document's versions. */
const pathOf = ({ type, id }: DocumentPlace): string => `/history/${type.uid}/${encodeURIComponent(id)}`;

/** The versions of a document, newest first. */
export function useVersions(place: DocumentPlace) {
  return useQuery({
    queryKey: ["history", place.type.uid, place.id, place.locale],
    queryFn: async ({ signal }) =>
      (await api<{ readonly data: readonly VersionView[] }>(`${pathOf(place)}${queryOf(place.locale)}`, { signal }))
        .data,
    staleTime: 0,
  });
}

/**
 * One version, taken apart as forms have their documents.
 *
 * @param id - undefined: none
 * @param like - whose items its own are compared with
 */
export function useVersion(place: DocumentPlace, id: string | undefined, like: () => Leaves) {
  const session = useSession();
  const { type, locale } = place;
  return useQuery({
    queryKey: ["history", type.uid, place.id, locale, "version", id],
    queryFn: async ({ signal }): Promise<ReadVersion> => {
      const path = `${pathOf(place)}/${id}${queryOf(locale)}`;
      const { data } = await api<{ readonly data: VersionContent }>(path, { signal });
      const names = await readNames(targetsIn(session, type.attributes, data.data), locale, signal);
      return versionLeaves({ shapes: session, attributes: type.attributes, names, like: like() }, data);
    },
    enabled: id !== undefined,
    staleTime: STALE,
  });
}

const NO_NAMES: NamedDocuments = { data: [], files: [] };
/** What one request may ask for. */
const MOST = 1_000;

/** Names of what a version links to. */
export async function readNames(
  { documents, files }: Pick<NamesRequest, "documents" | "files">,
  locale: string | undefined,
  signal: AbortSignal,
): Promise<NamedDocuments> {
  if (documents.length + files.length === 0) return NO_NAMES;
  const body: NamesRequest = {
    documents: documents.slice(0, MOST),
    files: files.slice(0, MOST),
    ...(locale === undefined ? {} : { locale }),
  };
  return await api<NamedDocuments>("/named", { method: "POST", body, signal });
}
