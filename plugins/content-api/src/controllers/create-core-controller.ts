import type { App, Controller, ControllerFactory, Tools } from "@plinth/core";
import { withDirectRead } from "@plinth/core/http";
import type { CollectionService, CoreController, SingleService } from "../contract.js";
import { createDirectReads, type DirectReads } from "../services/direct-reads.js";
import { isPlainService, serviceOf, serviceTools } from "../services/create-core-service.js";
import { createCollectionController } from "./collection-controller.js";
import { createResponder } from "./respond.js";
import { createSingleController } from "./single-controller.js";

/**
 * Makes the controller of a content-type, for `src/api/<api>/controllers/<name>.ts`. What `extend` returns lies over
 * the core actions: `super.find(ctx)` reaches them and returns `{ data, meta }`.
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
  const tools = serviceTools(app, uid);
  const service = serviceOf(app, uid);
  const respond = createResponder(app.model, tools.type);
  const { strictParams: isStrict } = tools.config;
  // The service of a type has the form of its kind; see createService.
  const core =
    tools.type.kind === "singleType"
      ? createSingleController({ uid, service: service as SingleService, respond, isStrict })
      : createCollectionController({ uid, service: service as CollectionService, respond, isStrict });
  return isPlainService(service) ? withDirectReads(core, createDirectReads(tools)) : (core as Controller);
}

function withDirectReads(core: CoreController, reads: DirectReads): Controller {
  const { find, findOne } = core;
  return {
    ...core,
    ...(find ? { find: withDirectRead(find, reads.find) } : {}),
    ...(findOne ? { findOne: withDirectRead(findOne, reads.findOne) } : {}),
  };
}
