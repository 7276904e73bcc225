import type { App, Route } from "@plinth/core";
import { handlerOf } from "@plinth/core/http";
import type { KeptTypes, KeptType } from "../kept-types.js";
import { describeRoutes } from "./describe-routes.js";
import { createEndpoints } from "./endpoints.js";

/** The actions of versions, after the uid of their content-type. */
const [FIND_VERSIONS, RESTORE_VERSION] = ["findVersions", "restoreVersion"];

/** The routes of the content API: `/articles/:documentId/history`. Callers need the permissions on the document as well. */
export function contentRoutes(app: App, kept: KeptTypes): readonly Route[] {
  return [...kept.values()].filter(({ type }) => type.uid.startsWith("api::")).flatMap((each) => routesOf(app, each));
}

function routesOf(app: App, { type }: KeptType): readonly Route[] {
  const { uid, kind, pluralName, singularName, displayName } = type;
  const isSingle = kind === "singleType";
  const path = isSingle ? `/${singularName}/history` : `/${pluralName}/:documentId/history`;
  const endpoints = createEndpoints(app, "public", () => uid);
  const descriptions = describeRoutes({ tag: displayName }, false);
  const reading = [FIND_VERSIONS, isSingle ? "find" : "findOne"];
  const route = (name: "list" | "findOne" | "compare" | "restore", below: string): Route => {
    const actions = name === "restore" ? [RESTORE_VERSION, ...reading] : reading;
    return {
      method: name === "restore" ? "POST" : "GET",
      path: `${path}${below}`,
      handler: handlerOf(endpoints[name]),
      config: { auth: { scope: actions.map((action) => `${uid}.${action}`) }, prefix: "" },
      description: descriptions[name],
    };
  };
  return [
    route("list", ""),
    route("findOne", "/:version"),
    route("compare", "/:version/compare"),
    route("restore", "/:version/restore"),
  ];
}
