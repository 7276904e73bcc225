import {
  type App,
  type Controller,
  type ControllerFactory,
  type QueryObject,
  type Tools,
  UnknownKeyError,
} from "@plinth/core";
import { allowAction } from "@plinth/core/access";
import {
  type Endpoint,
  type EndpointAnswer,
  handlerOf,
  keyOfRead,
  readAnswersOf,
  type RequestInfo,
} from "@plinth/core/http";
import type { StampWish } from "@plinth/core/reads";
import type { Caller, CollectionService, CoreAction, SingleService } from "../contract.js";
import { MisplacedPaginationError, MissingDataError, UnknownParameterError } from "../errors.js";
import { readsAsCore, serviceOf, serviceTools } from "../services/create-core-service.js";
import { forDraftActions } from "../services/draft-actions.js";
import { idempotent } from "./idempotency.js";
import { callerOf, createResponder, dataOf, isWrappedFormat, NO_CONTENT, type Responder, writeOf } from "./respond.js";

/**
 * Makes the controller of a content-type, for `src/api/<api>/controllers/<name>.ts`. Members that `extend` returns
 * override the core actions: `super.find(ctx)` reaches them and returns `{ data, meta }`.
 *
 * @param uid - a content-type: `api::article.article`.
 * @throws PLINTH_REST_UNKNOWN_TYPE (500) when the server starts
 */
export function createCoreController(uid: string, extend?: (tools: Tools) => Controller): ControllerFactory {
  return (tools) => {
    const core = createController(tools.app, uid);
    return extend ? (Object.setPrototypeOf(extend(tools), core) as Controller) : core;
  };
}

function createController(app: App, uid: string): Controller {
  const { type, config } = serviceTools(app, uid);
  const isSingle = type.kind === "singleType";
  const service = serviceOf(app, uid);
  const respond = createResponder(app.model, type);
  // The service of a type has the form of its kind; see createService.
  const actions = isSingle
    ? createSingleActions(service as SingleService, respond)
    : createCollectionActions(service as CollectionService, respond);
  const tagsLists = config.listTags ?? readAnswersOf(app).usesTags;
  const handlers = Object.entries(actions).map(([name, action]) => {
    const isList = name === "find" && !isSingle;
    const run: RunAction = async (request, withStamp) => {
      checkQuery(request.query, { isList, isStrict: config.strictParams });
      const answer = await action(request, callerOf(request, `${uid}.${name}`, withStamp));
      // A tag costs the hash of the text. A client that asks by one gets one.
      const isTagged = !isList || tagsLists || request.headers["if-none-match"] !== undefined;
      return isTagged ? answer : { ...answer, isTagged };
    };
    if (name === "find" || name === "findOne") {
      const asksOrigin = !readsAsCore(service, name);
      const read = conditional(app, `${uid}.${name}`, asksOrigin ? unknownRead(run) : { run });
      return [name, handlerOf(read, { asksOrigin })];
    }
    const endpoint: Endpoint = (request) => run(request);
    return [name, handlerOf(config.idempotency ? idempotent(app, endpoint) : endpoint)];
  });
  return Object.fromEntries(handlers);
}

/** @param withStamp - whether the answer needs the stamp of what it is read from. */
type RunAction = (request: RequestInfo, withStamp?: StampWish) => Promise<EndpointAnswer>;

/** How a type is read. */
interface TypeRead {
  readonly run: RunAction;
  /** Whether only code of the app knows what its answers depend on. */
  readonly isUnknown?: true;
}

/** A read whose answer is not made again for those who have it. */
function conditional(app: App, action: string, { run, isUnknown }: TypeRead): Endpoint {
  const answers = readAnswersOf(app);
  return (request) =>
    answers.answer({
      request,
      key: () =>
        isUnknown ? undefined : keyOfRead(request, allowAction(request.actor.ability, action), formOf(request)),
      read: (withStamp) => run(request, withStamp),
    });
}

/** A read by a service of the app: only that code knows what its answers depend on. */
const unknownRead = (run: RunAction): TypeRead => ({
  run: async (request) => ({ ...(await run(request)), source: undefined }),
  isUnknown: true,
});

const formOf = ({ headers }: RequestInfo): string => (isWrappedFormat(headers) ? "rest v4" : "rest");

/** The core actions of a content-type: they translate between HTTP and the service, and do nothing else. */
type CoreActions = Readonly<
  Partial<Record<CoreAction, (request: RequestInfo, caller: Caller) => Promise<EndpointAnswer>>>
>;

/** The actions of a single type. The first PUT creates the document and answers 200 like every other. */
function createSingleActions(service: SingleService, respond: Responder): CoreActions {
  return {
    find: async (request, caller) => respond.one(request, await service.find(request.query, caller)),
    update: async (request, caller) => respond.one(request, await service.createOrUpdate(writeOf(request), caller)),
    delete: async ({ query }, caller) => {
      await service.delete(query, caller);
      return NO_CONTENT;
    },
    ...forDraftActions(
      (action) => async (request: RequestInfo, caller: Caller) =>
        respond.versions(request, await service[action](request.query, caller)),
    ),
  };
}

function createCollectionActions(service: CollectionService, respond: Responder): CoreActions {
  const idOf = ({ params }: RequestInfo) => params["documentId"] ?? "";
  return {
    find: async (request, caller) => respond.page(request, await service.find(request.query, caller)),
    findOne: async (request, caller) =>
      respond.one(request, await service.findOne(idOf(request), request.query, caller)),
    create: async (request, caller) => respond.one(request, await service.create(writeOf(request), caller), 201),
    update: async (request, caller) =>
      respond.one(request, await service.update(idOf(request), writeOf(request), caller)),
    delete: async (request, caller) => {
      await service.delete(idOf(request), request.query, caller);
      return NO_CONTENT;
    },
    ...forDraftActions((action) => async (request: RequestInfo, caller: Caller) => {
      const { documentId } = request.params;
      return respond.versions(
        request,
        documentId === undefined
          ? await service[`${action}Many`](idsOf(request), request.query, caller)
          : await service[action](documentId, request.query, caller),
      );
    }),
  };
}

/** The documents that an action on several is about. @throws PLINTH_REST_MISSING_DATA, PLINTH_INPUT_UNKNOWN_KEY (400) */
function idsOf(request: RequestInfo): unknown {
  const data = dataOf(request);
  if (typeof data !== "object" || data === null) throw new MissingDataError({});
  const { documentIds, ...others } = data as Readonly<Record<string, unknown>>;
  const [key] = Object.keys(others);
  if (key !== undefined) throw new UnknownKeyError({ key, path: null, source: "body" });
  return documentIds;
}

const KNOWN: readonly string[] = [
  ...["filters", "sort", "fields", "populate", "pagination", "_q"],
  ...["status", "locale", "fallbackLocale", "publicationFilter", "hasPublishedVersion"],
];

/** Names that reach the query builder in systems like this one; no honest client sends them. */
const LEAKY: ReadonlySet<string> = new Set(["where", "lookup", "select", "having", "groupBy", "params"]);

/**
 * Checks the names at the root of a query string; what is inside them is parsed later.
 *
 * @param isList - a list also refuses `page` and `pageSize` outside of `pagination`.
 * @throws PLINTH_REST_UNKNOWN_PARAMETER, PLINTH_REST_MISPLACED_PAGINATION (400)
 * @source plugins/content-api/WIRE.md#principles
 * @source plugins/content-api/WIRE.md#query-string
 */
export function checkQuery(
  query: QueryObject,
  { isList, isStrict }: { readonly isList: boolean; readonly isStrict: boolean },
): void {
  for (const key of Object.keys(query)) {
    if (isList && (key === "page" || key === "pageSize")) throw new MisplacedPaginationError({});
    if (LEAKY.has(key) || (isStrict && !KNOWN.includes(key))) {
      throw new UnknownParameterError({ key, path: null, source: "query", known: KNOWN });
    }
  }
}
