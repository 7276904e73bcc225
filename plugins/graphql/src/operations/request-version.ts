import type { RequestState, Status } from "@plinth/core";
import type { GraphQLResolveInfo } from "graphql";

type Path = GraphQLResolveInfo["path"];

const versions = new WeakMap<RequestState, Map<string | number, Status>>();

/** Notes which version a root field reads, for fields below it that read for themselves. */
export function noteVersion(state: RequestState, { path }: Pick<GraphQLResolveInfo, "path">, status: Status): void {
  const known = versions.get(state) ?? new Map<string | number, Status>();
  versions.set(state, known.set(rootKey(path), status));
}

/** Which version the root field above reads; published below a field of the app's own. */
export function versionOf(state: RequestState, { path }: Pick<GraphQLResolveInfo, "path">): Status {
  return versions.get(state)?.get(rootKey(path)) ?? "published";
}

function rootKey(path: Path): string | number {
  return path.prev ? rootKey(path.prev) : path.key;
}
