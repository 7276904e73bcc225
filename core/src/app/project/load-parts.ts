import { join } from "node:path";
import { withoutStrapi } from "../../base/strapi-code.js";
import type { Uid } from "../../base/uid.js";
import type { Route, RouteSource } from "../../http/route.js";
import type { ControllerFactory, MiddlewareFactory, Policy } from "../../http/types.js";
import type { ServiceImpl } from "../../kernel/implement.js";
import type { RawContentType } from "../../schema/raw.js";
import { ModuleExportError } from "../errors.js";
import { loadContentTypes } from "./load-schemas.js";
import { listModules, readModule } from "./read-module.js";

/** What the folders of an api, a local plugin or the app itself declare, by uid: the form that a plugin's definition has. */
export interface ProjectParts {
  readonly contentTypes: Readonly<Record<string, RawContentType>>;
  readonly controllers: Readonly<Record<string, ControllerFactory>>;
  readonly services: readonly ServiceImpl[];
  readonly policies: Readonly<Record<string, Policy>>;
  readonly middlewares: Readonly<Record<string, MiddlewareFactory>>;
  readonly routes: Readonly<Record<string, Route | RouteSource>>;
}

/** Where parts are: schemas in the sources, code in the sources or their build. */
export interface PartsPlace {
  readonly sources: string;
  readonly code: string;
  /** `api::article`, `plugin::bookmarks` or `global`: what stands before the names. */
  readonly owner: string;
}

/**
 * Reads the folders `content-types`, `controllers`, `services`, `policies`, `middlewares` and `routes` of one place;
 * a missing folder means that there are none.
 *
 * @throws PLINTH_PROJECT_MODULE_FAILED, PLINTH_PROJECT_MODULE_EXPORT, PLINTH_PROJECT_JSON_INVALID
 */
export async function loadParts({ sources, code, owner }: PartsPlace): Promise<ProjectParts> {
  const uidOf = (name: string) => (owner === "global" ? `global::${name}` : `${owner}.${name}`);
  const [contentTypes, controllers, services, policies, middlewares, routes] = await Promise.all([
    owner === "global" ? [] : loadContentTypes(sources, owner),
    loadFolder<ControllerFactory>(join(code, "controllers"), uidOf, {
      expected: "a function that makes the controller, or its handlers",
      read: asFactory,
    }),
    loadFolder(join(code, "services"), uidOf, {
      expected: "a function that makes the service, or the service",
      read: asFactory,
    }),
    loadFolder<Policy>(join(code, "policies"), uidOf, {
      expected: "a function (ctx, config, { app }) => boolean",
      read: asFunction,
    }),
    loadFolder<MiddlewareFactory>(join(code, "middlewares"), uidOf, {
      expected: "a function (config, { app }) => middleware",
      read: asFunction,
    }),
    loadRoutes(join(code, "routes"), uidOf),
  ]);
  return {
    contentTypes: Object.fromEntries(contentTypes.map((type) => [type.uid, type])),
    controllers,
    services: Object.entries(services).map(([uid, create]) => serviceOf(uid as Uid, create)),
    policies,
    middlewares,
    routes,
  };
}

/** Parts of several places as one. */
export function joinParts(parts: readonly ProjectParts[]): ProjectParts {
  return {
    contentTypes: Object.assign({}, ...parts.map((part) => part.contentTypes)),
    controllers: Object.assign({}, ...parts.map((part) => part.controllers)),
    services: parts.flatMap((part) => part.services),
    policies: Object.assign({}, ...parts.map((part) => part.policies)),
    middlewares: Object.assign({}, ...parts.map((part) => part.middlewares)),
    routes: Object.assign({}, ...parts.map((part) => part.routes)),
  };
}

/**
 * A definition merged with the parts that were read from folders; the definition wins where both have the same name.
 */
export function addParts<D extends object>(definition: D, parts: Readonly<Record<string, object>>): D {
  const merged = { ...definition } as Record<string, unknown>;
  for (const [field, read] of Object.entries(parts)) merged[field] = addField(merged[field], read);
  return merged as D;
}

function addField(own: unknown, read: object): unknown {
  if (own === undefined) return read;
  if (Array.isArray(own)) return [...own, ...Object.values(read)];
  return { ...read, ...(own as object) };
}

interface Form<V> {
  readonly expected: string;
  /** Undefined when the export does not fit. */
  readonly read: (exported: unknown) => V | undefined;
}

async function loadFolder<V>(
  directory: string,
  uidOf: (name: string) => string,
  { expected, read }: Form<V>,
): Promise<Record<string, V>> {
  const loaded: Record<string, V> = {};
  for (const { name, file } of await listModules(directory)) {
    const value = read(await readModule(file, expected));
    if (value === undefined) throw new ModuleExportError({ file, expected });
    loaded[uidOf(name)] = value;
  }
  return loaded;
}

const asFunction = <F>(exported: unknown): F | undefined =>
  typeof exported === "function" ? (exported as F) : undefined;

/** A plain object is what its own factory would return. */
function asFactory<F>(exported: unknown): F | undefined {
  if (typeof exported === "function") return exported as F;
  return exported !== null && typeof exported === "object" ? ((() => exported) as F) : undefined;
}

function serviceOf(uid: Uid, create: unknown): ServiceImpl {
  return {
    kind: "service",
    uid,
    deps: {},
    create: (_deps, { app }) => (create as (tools: { app: unknown }) => unknown)(withoutStrapi({ app })),
  };
}

const ROUTES = "a list of routes, { routes: [...] }, or a core router";

async function loadRoutes(directory: string, uidOf: (name: string) => string): Promise<ProjectParts["routes"]> {
  const routes: Record<string, Route | RouteSource> = {};
  for (const { name, file } of await listModules(directory)) {
    const exported = await readModule(file, ROUTES);
    if (isRouteSource(exported)) {
      routes[uidOf(name)] = exported;
      continue;
    }
    const list = Array.isArray(exported) ? exported : (exported as { readonly routes?: unknown }).routes;
    if (!Array.isArray(list)) throw new ModuleExportError({ file, expected: ROUTES });
    for (const [index, route] of (list as readonly Route[]).entries()) routes[uidOf(`${name}-${index + 1}`)] = route;
  }
  return routes;
}

function isRouteSource(exported: unknown): exported is RouteSource {
  return typeof exported === "object" && exported !== null && "createRoutes" in exported;
}
