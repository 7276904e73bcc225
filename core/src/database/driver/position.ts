/**
 * A place in the log of a server: all that was committed up to there.
 *
 * @source https://www.postgresql.org/docs/current/datatype-pg-lsn.html
 */
export interface Position {
  /** Grows with each promotion: equal numbers in two timelines are not the same place. */
  readonly timeline: number;
  /** Bytes of the log before it; exact up to 8 PB. */
  readonly lsn: number;
}

/** What a read has to see at least. */
export interface ReadPoint {
  /** Undefined: any state that is not older than `maxLag`. */
  readonly position: Position | undefined;
}

const FORM = /^([0-9A-F]{1,8})-([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i;
const HIGH = 2 ** 32;

/** Reads `<timeline>-<lsn>`, both in hexadecimal: `00000001-0/16B3748`. Undefined for any other text. */
export function parsePosition(text: string): Position | undefined {
  const [, timeline, high, low] = FORM.exec(text) ?? [];
  if (timeline === undefined || high === undefined || low === undefined) return undefined;
  const lsn = Number.parseInt(high, 16) * HIGH + Number.parseInt(low, 16);
  return { timeline: Number.parseInt(timeline, 16), lsn: lsn - headerBefore(lsn) };
}

/*
 * The place where the next record begins may be behind the header of a page, where the last one ended before it: no
 * standby comes there before the next record does.
 *
 * https://github.com/postgres/postgres/blob/master/src/include/access/xlog_internal.h, SizeOfXLogShortPHD, SizeOfXLogLongPHD
 */
const PAGE = 8_192;
const SHORT_HEADER = 24;
const LEAST_SEGMENT = 2 ** 20;
const LONG_HEADER = 40;

function headerBefore(lsn: number): number {
  if (lsn % PAGE === SHORT_HEADER) return SHORT_HEADER;
  return lsn % LEAST_SEGMENT === LONG_HEADER ? LONG_HEADER : 0;
}

/** Writes what parsePosition reads. */
export function formatPosition({ timeline, lsn }: Position): string {
  const hex = (value: number) => value.toString(16).toUpperCase();
  return `${hex(timeline).padStart(8, "0")}-${hex(Math.floor(lsn / HIGH))}/${hex(lsn % HIGH)}`;
}

/** The later of two; LSNs go on across a promotion, and what the older timeline had beyond it is lost. */
export function laterOf(a: Position | undefined, b: Position | undefined): Position | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  if (a.timeline !== b.timeline) return a.timeline > b.timeline ? a : b;
  return a.lsn >= b.lsn ? a : b;
}
