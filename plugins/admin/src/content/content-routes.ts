import type { App, Route } from "@plinth/core";
import {
  type EndpointAnswer,
  handlerOf,
  type RequestInfo,
  type RouteDescription,
  type RouteMethod,
} from "@plinth/core/http";
import { adminRoute } from "../access/admin-route.js";
import { listWorkingCopies } from "../working-copies/my-working-copies.js";
import { deleteWorkingCopy, getWorkingCopy, putWorkingCopy } from "../working-copies/working-copies.js";
import { runBulkAction } from "./bulk.js";
import { listCandidates } from "./candidates.js";
import { checkEntry } from "./check-entry.js";
import { descriptions } from "./describe-routes.js";
import { runEntryAction } from "./entry-actions.js";
import { listLinked } from "./linked.js";
import { countEntries, listEntries } from "./list.js";
import { nameDocuments } from "./named.js";
import { getEntry } from "./read-entry.js";
import { listUses } from "./uses.js";
import { createEntry, deleteEntry, updateEntry } from "./write-entry.js";

/** What answers a request of the page about content. */
type ContentEndpoint = (app: App, request: RequestInfo) => Promise<EndpointAnswer>;

/** What a working copy may have, and its envelope. */
const COPY_LIMIT = "1200kb";

/**
 * The REST by which the page reads and writes content, and keeps what was typed and not saved. What a caller may do is
 * said by the actions and rules of the content-types: each endpoint asks for those that it needs.
 */
export function createContentRoutes(app: App): readonly Route[] {
  const on =
    (base: string) =>
    (method: RouteMethod, path: string, endpoint: ContentEndpoint, description: RouteDescription) => ({
      method,
      path: `${base}${path}`,
      handler: handlerOf((request) => endpoint(app, request)),
      description,
    });
  const content = on("/content/:uid");
  const own = on("");
  const copies = on("/working-copies");
  const routes = [
    content("GET", "", listEntries, descriptions.list),
    content("GET", "/count", countEntries, descriptions.count),
    content("POST", "", createEntry, descriptions.create),
    content("POST", "/check", checkEntry, descriptions.check),
    content("POST", "/actions/:action", runBulkAction, descriptions.bulk),
    content("GET", "/relations/:path", listCandidates, descriptions.candidates),
    content("GET", "/:id", getEntry, descriptions.one),
    content("PUT", "/:id", updateEntry, descriptions.update),
    content("DELETE", "/:id", deleteEntry, descriptions.remove),
    content("POST", "/:id/actions/:action", runEntryAction, descriptions.act),
    content("GET", "/:id/relations/:path", listLinked, descriptions.linked),
    content("GET", "/:id/uses", listUses, descriptions.uses),
    own("POST", "/named", nameDocuments, descriptions.named),
    copies("GET", "", listWorkingCopies, descriptions.copies),
    copies("GET", "/:uid/:id", getWorkingCopy, descriptions.copy),
    { ...copies("PUT", "/:uid/:id", putWorkingCopy, descriptions.putCopy), bodyLimit: COPY_LIMIT },
    copies("DELETE", "/:uid/:id", deleteWorkingCopy, descriptions.removeCopy),
  ];
  return routes.map(adminRoute);
}
