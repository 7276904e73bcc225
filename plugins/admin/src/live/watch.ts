import { invalidRequest } from "../content/request-body.js";

/** What a stream is about. */
export interface Watch {
  /** Content-types of which every document is watched: those of lists. */
  readonly types: ReadonlySet<string>;
  /** Documents, as documentKey names them: those of forms. */
  readonly documents: ReadonlySet<string>;
}

/** Things that one browser may watch. */
const MOST = 200;
const UID = String.raw`[a-z]+::[\w.-]{1,120}`;
const ENTRY = new RegExp(`^(${UID})(?:/([0-9A-Za-z_-]{1,64}))?$`);

/** Names a document. */
export const documentKey = (uid: string, documentId: string): string => `${uid} ${documentId}`;

/**
 * Reads `watch`: `api::article.article,api::author.author/k2v9...`. An unknown type is no error: a caller
 * who may not find a type gets the same answer.
 *
 * @throws PLINTH_ADMIN_INVALID (400)
 */
export function parseWatch(value: unknown): Watch {
  const texts = [value ?? ""].flat();
  const wrong = (message: string) => invalidRequest([{ path: "watch", message }]);
  if (!texts.every((text) => typeof text === "string")) throw wrong("must be a list of content-types and documents");
  const entries = texts.flatMap((text) => text.split(",")).filter((entry) => entry !== "");
  if (entries.length > MOST) throw wrong(`has more than ${MOST} parts`);
  const types = new Set<string>();
  const documents = new Set<string>();
  for (const entry of entries) {
    const [, uid, documentId] = ENTRY.exec(entry) ?? [];
    if (uid === undefined) throw wrong("has a part that is neither a content-type nor a document of one");
    if (documentId === undefined) types.add(uid);
    else documents.add(documentKey(uid, documentId));
  }
  return { types, documents };
}

/** Whether a stream is about a document. */
export const isWatched = ({ types, documents }: Watch, uid: string, documentId: string): boolean =>
  types.has(uid) || documents.has(documentKey(uid, documentId));
