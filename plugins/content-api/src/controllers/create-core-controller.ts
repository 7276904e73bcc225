import type { App, Controller, ControllerFactory, Tools } from "@plinth/core";
import { parseRestConfig } from "../config.js";
import type { CollectionService, SingleService } from "../contract.js";
import { findType } from "../find-type.js";
import { serviceOf } from "../services/create-core-service.js";
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
  const type = findType(app, uid);
  const service = serviceOf(app, uid);
  const { strictParams: isStrict } = parseRestConfig(app.config.get("api.rest"));
  const respond = createResponder(app.model, type);
  // The service of a type has the form of its kind; see createService.
  return type.kind === "singleType"
    ? createSingleController({ service: service as SingleService, respond, isStrict })
    : createCollectionController({ service: service as CollectionService, respond, isStrict });
}
