import type { App, Status } from "@plinth/core";
import { unlimited } from "@plinth/core/access";
import { createReadParser, type PreparedRead, type ReadParser } from "@plinth/core/reads";
import type { ContentType } from "@plinth/core/schema";
import type { RestConfig } from "../config.js";
import type { Caller, FoundOne } from "../contract.js";
import { oneOfResult } from "../found.js";

/** What the services of one content-type are made of. */
export interface ServiceTools {
  readonly app: App;
  readonly type: ContentType;
  readonly config: RestConfig;
  /** Parses the parameters of a list. */
  readonly parseList: ReadParser;
  /** Parses the parameters of one document; without an id, of the document of a single type. */
  readonly parseOne: ReadParser;
}

/** Which version a request means that names none. @source plugins/content-api/WIRE.md#status */
export const DEFAULT_STATUS: Status = "published";

/** Code that the server trusts. */
export const trusted: Caller = { visibility: "code", ability: unlimited };

/** The parsers of a content-type's reads. */
export function readParsers(
  app: App,
  type: ContentType,
  limits: RestConfig,
): Pick<ServiceTools, "parseList" | "parseOne"> {
  const common = () => ({ budget: app.readBudget, defaultStatus: DEFAULT_STATUS });
  return {
    parseList: createReadParser(app.model, type, () => ({ kind: "list", limits, ...common() })),
    parseOne: createReadParser(app.model, type, () => ({ kind: "one", ...common() })),
  };
}

/** Reads one document. */
export async function readOne({ app, type }: ServiceTools, prepared: PreparedRead): Promise<FoundOne | null> {
  return oneOfResult(await app.documents(type.uid).read(prepared));
}
