import { type App, isPlinthError } from "@plinth/core";
import type { ContentModel } from "@plinth/core/schema";
import type { EndpointValues } from "@plinth/plugin-webhooks";
import type { Issues } from "../issues.js";
import type { TypeResult } from "./import-content.js";

const ENDPOINT_TYPE = "plugin::webhooks.endpoint";

/** Whether an app has the plugin whose endpoints an export's webhooks would become. */
export const supportsWebhooks = (model: ContentModel): boolean => model.contentTypes.has(ENDPOINT_TYPE);

/** What a dry run says of endpoints: only a running app knows which of their addresses may be sent to. */
export const plannedWebhooks = (endpoints: readonly EndpointValues[]): readonly TypeResult[] =>
  resultOf({ entries: endpoints.length, written: endpoints.length, present: 0 });

/**
 * Makes the endpoints that the app lacks, by their names. Last of all: an endpoint gets no event that was written before it,
 * so none of the import.
 */
export async function importWebhooks(
  app: App,
  endpoints: readonly EndpointValues[],
  issues: Issues,
): Promise<readonly TypeResult[]> {
  if (endpoints.length === 0) return [];
  const service = app.service("plugin::webhooks.webhooks");
  const known = new Set((await service.list()).map(({ name }) => name));
  const missing = endpoints.filter(({ name }) => !known.has(name));
  let written = 0;
  for (const endpoint of missing)
    try {
      await service.create(endpoint);
      written += 1;
    } catch (error) {
      if (!isPlinthError(error) || error.code !== "PLINTH_WEBHOOKS_INVALID") throw error;
      issues.add(`webhook ${endpoint.name}`, `it is left out: ${error.message}`);
    }
  return resultOf({ entries: endpoints.length, written, present: endpoints.length - missing.length });
}

const resultOf = (counts: Omit<TypeResult, "uid">): readonly TypeResult[] =>
  counts.entries > 0 ? [{ uid: ENDPOINT_TYPE, ...counts }] : [];
