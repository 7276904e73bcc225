import { type Handler, NotFoundError, type Route } from "@plinth/core";
import type { RouteDescription, RouteSource } from "@plinth/core/http";
import type { ContentModel, ContentType, Shape } from "@plinth/core/schema";
import { describeComponent, describeType } from "./describe-model.js";

/** The path that existing tools use for the content model. */
const PREFIX = "/content-type-builder";
const OWNER = "plugin::content-type-builder";

/**
 * The content model over REST, for tools that make clients or forms of it: `GET /content-type-builder/content-types`
 * and `/components`, and one of them by its uid. Lists the app's own content-types and those of plugins that relations lead
 * to from them, because tools follow each relation to the schema of its target; closed unless granted.
 *
 * @source plugins/content-api/WIRE.md#actions
 */
export const modelRoutes: RouteSource = {
  createRoutes: ({ app }) => {
    const types = () => typesInUse(app.model);
    const components = () => [...app.model.components.values()];
    return [
      routeOf("/content-types", "content-types.getContentTypes", () => ({ data: types().map(describeType) })),
      routeOf("/content-types/:uid", "content-types.getContentType", oneOf(types, describeType)),
      routeOf("/components", "components.getComponents", () => ({ data: components().map(describeComponent) })),
      routeOf("/components/:uid", "components.getComponent", oneOf(components, describeComponent)),
    ];
  },
};

/** The app's own content-types, then others that relations lead to from them, by any number of steps. */
function typesInUse(model: ContentModel): readonly ContentType[] {
  const found = new Map([...model.contentTypes].filter(([uid]) => uid.startsWith("api::")));
  const shapes: Shape[] = [...found.values(), ...model.components.values()];
  for (const { attributes } of shapes)
    for (const attribute of attributes.values()) {
      if (attribute.kind !== "relation" || attribute.target === undefined || found.has(attribute.target)) continue;
      const target = model.contentTypes.get(attribute.target);
      if (!target) continue;
      found.set(target.uid, target);
      shapes.push(target);
    }
  return [...found.values()];
}

function routeOf(path: string, action: string, handler: Handler): Route {
  const config = { prefix: PREFIX, auth: { scope: [`${OWNER}.${action}`] } };
  return { method: "GET", path, handler, config, description: describe(path) };
}

/** The body is itself a description: its form is described in words. */
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
