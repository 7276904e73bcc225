import {
  type Handler,
  NotFoundError,
  type Route,
  type RouteDescription,
  type RouteSource,
  type Shape,
} from "@plinth/core";
import { describeComponent, describeType } from "./describe-model.js";

/** Tools of the field ask for the content model here. */
const PREFIX = "/content-type-builder";
const OWNER = "plugin::content-type-builder";

/**
 * The content model over REST, for tools that make clients or forms of it: `GET /content-type-builder/content-types`
 * and `/components`, and one of them by its uid. Tells of the app's own content-types; closed unless granted.
 *
 * @source corpus 17 "permission endpoint of content type builder"
 */
export const modelRoutes: RouteSource = {
  createRoutes: ({ app }) => {
    const types = () => [...app.model.contentTypes.values()].filter(({ uid }) => uid.startsWith("api::"));
    const components = () => [...app.model.components.values()];
    return [
      routeOf("/content-types", "content-types.getContentTypes", () => ({ data: types().map(describeType) })),
      routeOf("/content-types/:uid", "content-types.getContentType", oneOf(types, describeType)),
      routeOf("/components", "components.getComponents", () => ({ data: components().map(describeComponent) })),
      routeOf("/components/:uid", "components.getComponent", oneOf(components, describeComponent)),
    ];
  },
};

function routeOf(path: string, action: string, handler: Handler): Route {
  const config = { prefix: PREFIX, auth: { scope: [`${OWNER}.${action}`] } };
  return { method: "GET", path, handler, config, description: describe(path) };
}

/** What is described is itself a description: its form is told in words. */
function describe(path: string): RouteDescription {
  const [, kind = ""] = path.split("/");
  const isOne = path.endsWith(":uid");
  const described = { type: "object", required: ["uid", "schema"] };
  const data = isOne ? described : { type: "array", items: described };
  return {
    summary: isOne
      ? `Get one of the ${kind} of the content model, by its uid`
      : `List the ${kind} of the content model`,
    tag: "Content model",
    answers: {
      200: { description: "As in schema files", schema: { type: "object", required: ["data"], properties: { data } } },
    },
  };
}

function oneOf<S extends Shape>(list: () => readonly S[], describe: (shape: S) => object): Handler {
  return ({ params }) => {
    const found = list().find(({ uid }) => uid === params["uid"]);
    if (!found) throw new NotFoundError({});
    return { data: describe(found) };
  };
}
