import {
  type App,
  type ContentTypes,
  type ContentTypeUid,
  isPlinthError,
  type Tools,
  VersionMismatchError,
} from "@plinth/core";
import { forAllDocuments } from "@plinth/core/reads";
import type { ContentType } from "@plinth/core/schema";
import { parseRestConfig } from "../config.js";
import type { AskedCaller, CollectionService, DraftAction, Params, SingleService } from "../contract.js";
import { UnknownTypeError } from "../errors.js";
import {
  deletable,
  foundOne,
  knownCaller,
  localeOf,
  pageOfResult,
  prepareWrite,
  readOne,
  readParsers,
  type ServiceTools,
} from "./entries.js";
import { forDraftActions, joinVersions, runDraftAction } from "./draft-actions.js";

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

/** Reads as createService makes them; an app's own may depend on anything. */
const coreReads = new WeakSet<object>();

/** Whether a service reads as the core does, and its answers depend on content, parameters and ability alone. */
export function readsAsCore(service: object, action: "find" | "findOne"): boolean {
  const read = (service as Partial<Record<"find" | "findOne", object>>)[action];
  return read !== undefined && coreReads.has(read);
}

function withCoreReads<Service extends Partial<Record<"find" | "findOne", object>>>(service: Service): Service {
  for (const read of [service.find, service.findOne]) if (read) coreReads.add(read);
  return service;
}

/** The service of a content-type: the app's own where a file of the app made it by createCoreService, else the core's. */
export function serviceOf(app: App, uid: string): object {
  const own = findOwnService(app, uid);
  return own && coreServices.has(own) ? own : createService(app, uid);
}

function createService(app: App, uid: string): CollectionService | SingleService {
  const tools = serviceTools(app, uid);
  return withCoreReads(tools.type.kind === "singleType" ? createSingleService(tools) : createCollectionService(tools));
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

/** What the endpoints of a single type do: there is one document, made by the first write. */
function createSingleService(tools: ServiceTools): SingleService {
  const { app, type } = tools;
  const documents = app.documents(type.uid);
  return {
    async find(params = {}, asked) {
      const caller = knownCaller(asked);
      return readOne(tools, tools.parseOne(params, caller), caller);
    },
    async createOrUpdate(params, asked) {
      const caller = knownCaller(asked);
      const written = await documents.upsertSingle(prepareWrite(tools, params, caller));
      return written && foundOne(written);
    },
    async delete(params = {}, asked) {
      const caller = knownCaller(asked);
      const versions = await deletable(tools, params, caller);
      const documentId = await documents.singleId();
      // No document has this id, so an expected version is missing.
      if (!versions || (documentId === undefined && versions.ifVersion === undefined)) return;
      const { ability } = caller;
      await documents.delete({ documentId: documentId ?? "", ability, ...versions, ...localeOf(tools, params) });
    },
    ...forDraftActions((action) => async (params: Params = {}, asked?: AskedCaller) => {
      const caller = knownCaller(asked);
      const documentId = (await documents.singleId()) ?? "";
      return await runDraftAction(tools, { action, documentId }, params, caller);
    }),
  };
}

/** What the endpoints of a collection do. */
function createCollectionService(tools: ServiceTools): CollectionService {
  const documents = tools.app.documents(tools.type.uid);
  return {
    ...ofMany(tools),
    async find(params = {}, asked) {
      const caller = knownCaller(asked);
      const prepared = tools.parseList(params, caller);
      return pageOfResult(await documents.read(prepared, caller), prepared);
    },
    async findOne(documentId, params = {}, asked) {
      const caller = knownCaller(asked);
      return readOne(tools, tools.parseOne(params, caller, documentId), caller);
    },
    async create(params, asked) {
      const caller = knownCaller(asked);
      const write = prepareWrite(tools, params, caller);
      // The document is a new one, so no version of it can be expected, and any may be unexpected.
      if (caller.ifVersion !== undefined) throw new VersionMismatchError({});
      return foundOne(await documents.create(write));
    },
    async update(documentId, params, asked) {
      const caller = knownCaller(asked);
      const updated = await documents.update({ documentId, ...prepareWrite(tools, params, caller) });
      return updated && foundOne(updated);
    },
    async delete(documentId, params = {}, asked) {
      const caller = knownCaller(asked);
      const versions = await deletable(tools, params, caller, documentId);
      if (!versions) return;
      await documents.delete({ documentId, ability: caller.ability, ...versions, ...localeOf(tools, params) });
    },
    ...forDraftActions(
      (action) =>
        async (documentId: string, params: Params = {}, asked?: AskedCaller) =>
          runDraftAction(tools, { action, documentId }, params, knownCaller(asked)),
    ),
  };
}

/** Runs an action on several documents, by the service's own action on one, which an app may have extended. */
function ofMany({ app }: ServiceTools): Pick<CollectionService, `${DraftAction}Many`> {
  const many = (action: DraftAction) =>
    async function run(this: CollectionService, documentIds: unknown, params?: Params, caller?: AskedCaller) {
      return joinVersions(await forAllDocuments(app.db, documentIds, (id) => this[action](id, params, caller)));
    };
  return { publishMany: many("publish"), unpublishMany: many("unpublish"), discardDraftMany: many("discardDraft") };
}

/** A content-type of the app. @throws PLINTH_REST_UNKNOWN_TYPE (500) */
export function findType({ model }: App, uid: string): ContentType {
  const type = model.contentTypes.get(uid);
  if (type) return type;
  throw new UnknownTypeError({ uid, known: [...model.contentTypes.keys()] });
}
