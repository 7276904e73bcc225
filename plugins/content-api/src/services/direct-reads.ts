import { NotFoundError } from "@plinth/core";
import { allowAction } from "@plinth/core/access";
import type { DirectAnswer, DirectRequest } from "@plinth/core/http";
import { type PreparedRead, ReadCache, readOfDocument } from "@plinth/core/reads";
import { checkQuery } from "../check-query.js";
import type { Reader } from "../contract.js";
import { oneOfResult, pageOfResult } from "../found.js";
import { isWrappedFormat } from "../response-format.js";
import { prepareList, prepareOne, type ServiceTools } from "./read-entries.js";

/** The direct forms of a type's reads. */
export interface DirectReads {
  find(request: DirectRequest): Promise<DirectAnswer> | undefined;
  findOne(request: DirectRequest): Promise<DirectAnswer> | undefined;
}

/** Stands for the id of a document while a read is made that is kept for all of them. */
const ANY_DOCUMENT = "";

/**
 * The reads of a type as its service and controller do them, with one difference: what depends on the query string and
 * on what the actor may do, and not on the document or the actor, is worked out once for each of them and kept.
 */
export function createDirectReads(tools: ServiceTools): DirectReads {
  const { app, type, config } = tools;
  const documents = app.documents(type.uid);
  const cache = new ReadCache(app.model);
  const [find, findOne] = [`${type.uid}.find`, `${type.uid}.findOne`];
  const isCollection = type.kind === "collectionType";

  const prepare = (kind: "list" | "one", { querystring, actor, parseQuery }: DirectRequest): PreparedRead => {
    const ability = allowAction(actor.ability, isCollection && kind === "one" ? findOne : find);
    const make = () => {
      const query = parseQuery();
      checkQuery(query, { isList: kind === "list", isStrict: config.strictParams });
      const reader: Reader = { visibility: "public", ability };
      if (kind === "list") return prepareList(tools, query, reader);
      return prepareOne(tools, query, reader, isCollection ? ANY_DOCUMENT : undefined);
    };
    return cache.get(`${kind}\n${ability.key}\n${querystring}`, make);
  };

  return {
    find(request) {
      if (isWrappedFormat(request.headers)) return undefined;
      return isCollection ? readList(request) : readOne(prepare("one", request));
    },
    findOne(request) {
      if (isWrappedFormat(request.headers)) return undefined;
      return readOne(readOfDocument(prepare("one", request), request.params["documentId"] ?? ""));
    },
  };

  async function readList(request: DirectRequest): Promise<DirectAnswer> {
    const prepared = prepare("list", request);
    const { text, pagination } = pageOfResult(await documents.read(prepared), prepared);
    return { text: `{"data":${text},"meta":${JSON.stringify({ pagination })}}` };
  }

  async function readOne(prepared: PreparedRead): Promise<DirectAnswer> {
    const found = oneOfResult(await documents.read(prepared));
    if (!found) throw new NotFoundError({});
    return { text: `{"data":${found.text},"meta":{}}`, version: found.version ?? "" };
  }
}
