import type { InitializeHook, ResolveHook } from "node:module";
import { type SourceVersions, versionOf, withVersion } from "./source-url.js";

let versions: SourceVersions;

/** Runs in the thread of the module loader, as all of this file. */
export const initialize: InitializeHook<SourceVersions> = (data) => {
  versions = data;
};

/**
 * Gives every module of the project's own the version that is read. What a module imports has the version of that module:
 * a version that still runs imports nothing of a later one.
 */
export const resolve: ResolveHook = async (specifier, context, next) => {
  const resolved = await next(specifier, context);
  const { url } = resolved;
  if (!url.startsWith(versions.folder) || url.includes("/node_modules/") || versionOf(url) !== undefined)
    return resolved;
  return { ...resolved, url: withVersion(url, versionOf(context.parentURL) ?? Atomics.load(versions.latest, 0)) };
};
