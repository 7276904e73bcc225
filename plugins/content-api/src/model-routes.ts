import type { App, Handler, Route } from "@plinth/core";
import type { RouteDescription, RouteSource } from "@plinth/core/http";
import type { ContentType, Shape } from "@plinth/core/schema";
import { describeComponent, describeType, isListed } from "./describe-model.js";
import { UnknownKindError } from "./errors.js";

/** The path that existing tools use for the content model. */
const PREFIX = "/content-type-builder";
const OWNER = "plugin::content-type-builder";

/** What one of `kind=` lists; without it, all. */
const KINDS: readonly unknown[] = ["collectionType", "singleType"] satisfies ContentType["kind"][];

/**
 * The content model over REST, for tools that make clients or forms of it: `GET /content-type-builder/content-types`
 * and `/components`, and one of them by its uid. Lists the content-types that the content API serves, those of plugins
 * included; closed unless granted.
 *
 * @source plugins/content-api/WIRE.md#the-content-model
 */
export const modelRoutes: RouteSource = {
  createRoutes: ({ app }) => {
    const types = () => [...app.model.contentTypes.values()].filter(isListed);
    const components = () => [...app.model.components.values()];
    return [
      routeOf("/content-types", "content-types.getContentTypes", ({ query: { kind } }) => {
        if (kind !== undefined && !KINDS.includes(kind)) throw new UnknownKindError({ kind });
        return {
          data: types().flatMap((type) => (kind === undefined || type.kind === kind ? describeType(app, type) : [])),
        };
      }),
      routeOf(
        "/content-types/:uid",
        "content-types.getContentType",
        one(app, types, describeType, "contentType.notFound"),
      ),
      routeOf("/components", "components.getComponents", () => ({
        data: components().map((component) => describeComponent(app, component)),
      })),
      routeOf(
        "/components/:uid",
        "components.getComponent",
        one(app, components, describeComponent, "component.notFound"),
      ),
    ];
  },
};

function routeOf(path: string, action: string, handler: Handler): Route {
  const config = { prefix: PREFIX, auth: { scope: [`${OWNER}.${action}`] } };
  return { method: "GET", path, handler, config, description: describe(path) };
}

/** Tools read this form, which is not that of other errors. */
const NOT_THERE = {
  description: "There is none of this uid",
  schema: { type: "object", required: ["error"], properties: { error: { type: "string" } } },
};

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
    ...(path === "/content-types" ? { query: { kind: { schema: { type: "string", enum: KINDS } } } } : {}),
    answers: {
      200: { description: "As in schema files", schema: { type: "object", required: ["data"], properties: { data } } },
      ...(isOne ? { 404: NOT_THERE } : {}),
    },
  };
}

/** @param missing - what the answer says of a uid that is not in the list; the form is that of existing tools. */
function one<S extends Shape>(
  app: App,
  list: () => readonly S[],
  describe: (app: App, shape: S) => object,
  missing: string,
): Handler {
  return (ctx) => {
    const found = list().find(({ uid }) => uid === ctx.params["uid"]);
    if (found) return { data: describe(app, found) };
    ctx.status = 404;
    return { error: missing };
  };
}
