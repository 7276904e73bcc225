import type { Ability, App } from "@plinth/core";
import type { EndpointAnswer, ReadHeaders, RequestInfo } from "@plinth/core/http";
import type { ReadSource } from "@plinth/core/reads";
import type { Ages, HttpCacheConfig } from "./config.js";
import { MOST_TAGS, tagOfDocument, tagOfType } from "./tags.js";

type Headers = Readonly<Record<string, string>>;

/** Caches divide the tags of a header by this. */
const DIVIDERS = { "cache-tag": ",", "surrogate-key": " ", xkey: " " } as const;

/** What an answer depends on beside its url. */
const VARY = "Authorization, Accept, Strapi-Response-Format";

/** For who signed in, and for what cannot be found again by its tags: a browser may keep it, and has to ask. */
const OWN: Headers = { "cache-control": "private, no-cache", vary: VARY };

/** What is the same for all reads of one form. */
interface Known {
  readonly headers: Headers;
  readonly tags: readonly string[];
}

/** What lets rows of a type be read. */
const READS = ["find", "findOne", "findDrafts"] as const;

/** Whether what may be read changes by writes alone: nothing says that the time of a rule is over. */
function isLasting({ types }: ReadSource, ability: Ability): boolean {
  const isTimed = (action: string) => {
    const reach = ability.reachOf(action);
    return reach.rows !== "nothing" && reach.isTimed === true;
  };
  return ability.values !== undefined || !types.some((uid) => READS.some((action) => isTimed(`${uid}.${action}`)));
}

/** Says to caches how long public reads hold, and what they are made of. */
export class CacheHeaders implements ReadHeaders {
  readonly #app: App;
  readonly #config: HttpCacheConfig;
  readonly #known = new WeakMap<ReadSource, Known | undefined>();

  constructor(app: App, config: HttpCacheConfig) {
    this.#app = app;
    this.#config = config;
  }

  headersOf({ actor, headers, params, state }: RequestInfo, { source }: EndpointAnswer): Headers {
    // A cache would answer those as well whom a policy, or code around the endpoint, answers otherwise.
    const isPublic = actor.kind === "public" && headers.authorization === undefined && !state.route?.hasOwnCode;
    // What hooks add is not known by the tags, and may hold for minutes only: the addresses of files in a private bucket.
    const known = isPublic && source?.decides && isLasting(source, actor.ability) ? this.#knownOf(source) : undefined;
    if (!known) return OWN;
    const { documentId } = params;
    return { ...known.headers, ...this.#tagHeader(known.tags, documentId) };
  }

  #tagHeader(types: readonly string[], documentId: string | undefined): Headers {
    const { tags: name } = this.#config;
    if (name === "none") return {};
    const all = documentId === undefined ? types : [...types, tagOfDocument(documentId)];
    return { [name]: all.join(DIVIDERS[name]) };
  }

  #knownOf(source: ReadSource): Known | undefined {
    if (!this.#known.has(source)) this.#known.set(source, this.#make(source));
    return this.#known.get(source);
  }

  #make({ types }: ReadSource): Known | undefined {
    const { types: ages } = this.#config;
    const all = types.map((uid) => ages[uid] ?? ages["*"]);
    // One is for the document.
    if (all.length === 0 || all.length >= MOST_TAGS || all.includes(undefined)) return undefined;
    const shortest = (name: keyof Ages) => Math.min(...all.map((each) => each?.[name] ?? 0));
    const control = `public, max-age=${shortest("maxAge")}, s-maxage=${shortest("sMaxAge")}, stale-while-revalidate=${shortest("staleWhileRevalidate")}`;
    const tags = types.map((uid) => tagOfType(this.#app.model, uid));
    return { headers: { "cache-control": control, vary: VARY }, tags };
  }
}
