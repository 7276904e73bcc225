import { type App, type ContentTypes, type ContentTypeUid, isPlinthError, type Tools } from "@plinth/core";
import { parseRestConfig } from "../config.js";
import type { CollectionService, SingleService } from "../contract.js";
import { findType } from "../find-type.js";
import { createCollectionService } from "./collection-service.js";
import { readParsers, type ServiceTools } from "./read-entries.js";
import { createSingleService } from "./single-service.js";

/** Services that createCoreService made, extended ones included. */
const coreServices = new WeakSet<object>();

/**
 * Makes the service of a content-type, for `src/api/<api>/services/<name>.ts`. Members that `extend` returns override
 * the core methods: `super.find(params, caller)` reaches them.
 *
 * @param uid - a content-type: `api::article.article`.
 * @throws PLINTH_REST_UNKNOWN_TYPE (500) when the service is made
 */
export function createCoreService<Uid extends string, Own extends object = Record<never, never>>(
  uid: Uid,
  extend?: (tools: Tools) => Own,
): (tools: Tools) => ExtendedService<Uid, Own> {
  return (tools) => {
    const core = createService(tools.app, uid);
    const service = extend ? (Object.setPrototypeOf(extend(tools), core) as object) : core;
    coreServices.add(service);
    // The overriding methods are those that `extend` returned.
    return service as ExtendedService<Uid, Own>;
  };
}

/** The service of a content-type with the app's overrides. */
export type ExtendedService<Uid, Own> = Own & Omit<CoreServiceOf<Uid>, keyof Own>;

/** The core's service of a content-type: of a collection, where the compiler does not know better. */
type CoreServiceOf<Uid> = Uid extends ContentTypeUid
  ? ContentTypes[Uid] extends { readonly kind: "singleType" }
    ? SingleService
    : CollectionService
  : CollectionService;

/** The service of a content-type: the app's own where a file of the app made it by createCoreService, else the core's. */
export function serviceOf(app: App, uid: string): object {
  const own = findOwnService(app, uid);
  return own && coreServices.has(own) ? own : createService(app, uid);
}

function createService(app: App, uid: string): CollectionService | SingleService {
  const tools = serviceTools(app, uid);
  return tools.type.kind === "singleType" ? createSingleService(tools) : createCollectionService(tools);
}

/** What the services and reads of a content-type are made of. @throws PLINTH_REST_UNKNOWN_TYPE (500) */
export function serviceTools(app: App, uid: string): ServiceTools {
  const type = findType(app, uid);
  const config = parseRestConfig(app.config.get("api.rest"));
  return { app, type, config, ...readParsers(app, type, config) };
}

function findOwnService(app: App, uid: string): object | undefined {
  try {
    return (app.service as (name: string) => object)(uid);
  } catch (error) {
    if (isPlinthError(error) && error.code === "PLINTH_REGISTRY_UNKNOWN") return undefined;
    throw error;
  }
}
