import type { App, Status } from "@plinth/core";
import { unlimited } from "@plinth/core/access";
import { type PreparedRead, parseReadParams } from "@plinth/core/reads";
import type { ContentType } from "@plinth/core/schema";
import type { RestConfig } from "../config.js";
import type { FoundOne, Params, Reader } from "../contract.js";
import { oneOfResult } from "../found.js";

/** What the services of one content-type are made of. */
export interface ServiceTools {
  readonly app: App;
  readonly type: ContentType;
  readonly config: RestConfig;
}

/** Which version a request means that names none. @source plugins/content-api/WIRE.md#status */
export const DEFAULT_STATUS: Status = "published";

/** Code that the server trusts. */
export const trusted: Reader = { visibility: "code", ability: unlimited };

/** Parses the parameters of a list. @throws PLINTH_QUERY_* (400) */
export function prepareList({ app, type, config }: ServiceTools, params: Params, reader: Reader): PreparedRead {
  return parseReadParams(app.model, type, params, {
    kind: "list",
    limits: config,
    budget: app.readBudget,
    defaultStatus: DEFAULT_STATUS,
    ...reader,
  });
}

/** Parses the parameters of one document; without an id, of the document of a single type. @throws PLINTH_QUERY_* (400) */
export function prepareOne(
  { app, type }: ServiceTools,
  params: Params,
  reader: Reader,
  documentId?: string,
): PreparedRead {
  const id = documentId === undefined ? {} : { documentId };
  const budget = app.readBudget;
  return parseReadParams(app.model, type, params, {
    kind: "one",
    defaultStatus: DEFAULT_STATUS,
    budget,
    ...reader,
    ...id,
  });
}

/** Reads one document. */
export async function readOne({ app, type }: ServiceTools, prepared: PreparedRead): Promise<FoundOne | null> {
  return oneOfResult(await app.documents(type.uid).read(prepared));
}
