import type { InitializeHook, ResolveHook } from "node:module";

/** What the thread of the module loader shares with the one that serves. */
export interface SourceVersions {
  /** URL of the project's folder, with a slash at its end. */
  readonly folder: string;
  /** Its one number counts the times that the project was read. */
  readonly latest: Int32Array<SharedArrayBuffer>;
}

const MARK = "plinth-version=";

/** The address of a module in one version: node keeps a module by its address, and reads it again under another. */
export function withVersion(url: string, version: number): string {
  return `${url}${url.includes("?") ? "&" : "?"}${MARK}${version}`;
}

/** The version in the address of a module; undefined where there is none. */
export function versionOf(url: string | undefined): number | undefined {
  const [, version] = /[?&]plinth-version=(\d+)/.exec(url ?? "") ?? [];
  return version === undefined ? undefined : Number(version);
}

/** A text in which modules are named as files, such as a stack. */
export function withoutVersions(text: string): string {
  return text.replaceAll(/[?&]plinth-version=\d+/g, "");
}

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
