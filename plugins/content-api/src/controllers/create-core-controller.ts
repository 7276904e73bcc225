import type { App, Controller, ControllerFactory, Tools } from "@plinth/core";
import { type Endpoint, handlerOf } from "@plinth/core/http";
import type { CollectionService, SingleService } from "../contract.js";
import { serviceOf, serviceTools } from "../services/create-core-service.js";
import { createCollectionEndpoints } from "./collection-controller.js";
import { createResponder } from "./respond.js";
import { createSingleEndpoints } from "./single-controller.js";

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
  const service = serviceOf(app, uid);
  const common = { uid, respond: createResponder(app.model, type), isStrict: config.strictParams };
  // The service of a type has the form of its kind; see createService.
  const endpoints =
    type.kind === "singleType"
      ? createSingleEndpoints({ ...common, service: service as SingleService })
      : createCollectionEndpoints({ ...common, service: service as CollectionService });
  const entries = Object.entries<Endpoint>(endpoints);
  return Object.fromEntries(entries.map(([action, endpoint]) => [action, handlerOf(endpoint)]));
}
