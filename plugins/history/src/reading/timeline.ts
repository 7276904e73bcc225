import type { ContentType } from "@plinth/core/schema";
import type { KeptVersion } from "./kept-versions.js";
import { differing } from "./equal.js";

type Data = Readonly<Record<string, unknown>>;

/** A version with what of it can be compared: a view without ids. */
export interface Compared {
  readonly version: KeptVersion;
  readonly data: Data;
}

/** A version, and what its write changed. */
export interface Change extends Changed {
  readonly version: KeptVersion;
}

/** What a write changed. */
interface Changed {
  /** Null where the version before is not kept. */
  readonly changed: readonly string[] | null;
  /** Whether something changed that is seen, publication included. */
  readonly isSeen: boolean;
}

/** What a document holds: null is nothing, undefined is not known. */
interface State {
  readonly edited: Data | null | undefined;
  readonly published: Data | null | undefined;
}

const UNKNOWN: State = { edited: undefined, published: undefined };
const NOTHING: State = { edited: null, published: null };

/** Follows a document through its versions, oldest first. */
export class Timeline {
  #state = UNKNOWN;

  constructor(private readonly type: ContentType) {}

  /** What the write of the next version changed. */
  next(each: Compared): Change {
    const { version } = each;
    const before = version.action === "create" ? NOTHING : this.#state;
    const { hasDrafts } = this.type;
    if (hasDrafts && isPublishedEnd(each)) return { version, ...endOf(this.type, before, each.data) };
    const after = afterOf(each, before, hasDrafts);
    // What was edited after it is not kept, up to the next one.
    this.#state = version.isApart ? { ...after, edited: undefined } : after;
    return { version, ...changeOf(this.type, before, after) };
  }
}

/** What was published of a document that is deleted; its draft comes next. */
const isPublishedEnd = ({ version: { action, status } }: Compared): boolean =>
  action === "delete" && status === "published";

const endOf = (type: ContentType, { edited }: State, data: Data): Changed => ({
  changed: [],
  isSeen: edited === undefined || differing(type, edited, data).length > 0,
});

function afterOf({ version, data }: Compared, before: State, hasDrafts: boolean): State {
  const { action, status, isHalf } = version;
  if (action === "delete") return NOTHING;
  if (!hasDrafts || action === "unpublish") return { edited: data, published: null };
  // A write of both rows notes what it published, and then the draft, which need not be the same.
  if (action === "publish") return { edited: before.edited === undefined ? data : before.edited, published: data };
  if (isHalf) return { ...before, published: data };
  return status === "draft" ? { ...before, edited: data } : { edited: data, published: data };
}

function changeOf(type: ContentType, before: State, after: State): Changed {
  const lanes = (["edited", "published"] as const).map((lane) => [before[lane], after[lane]] as const);
  const known = lanes.filter((lane): lane is readonly [Data | null, Data | null] => !lane.includes(undefined));
  const changed = [...new Set(known.flatMap(([a, b]) => (b === null ? [] : differing(type, a, b))))];
  const isMoved = lanes.some(([a, b]) => a !== b && (a === null || b === null || a === undefined));
  const isFirst = lanes.some(([a, b]) => a === undefined && b !== undefined && b !== null);
  return { changed: isFirst ? null : changed, isSeen: changed.length > 0 || isMoved };
}
