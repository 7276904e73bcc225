import type { Mark, ResolvedPos } from "prosemirror-model";
import type { Command, EditorState } from "prosemirror-state";
import { isLinkUrl, isSafeUrl, NO_KEYS, schema } from "./schema.js";

const LINK = schema.marks.link;

/** A part of the text, with the link that it is. */
export interface LinkRange {
  readonly from: number;
  readonly to: number;
  readonly link: Mark | undefined;
}

/** What a link would be set on: the one around the cursor, whole, else what is selected. */
export function linkRange({ selection }: EditorState): LinkRange {
  const { $from, from, to } = selection;
  const link = linkAt($from);
  if (!link) return { from, to, link: undefined };
  const { parent } = $from;
  const inLink = (index: number) => link.isInSet(parent.maybeChild(index)?.marks ?? []);
  let [first, last] = [$from.index(), $from.index()];
  if (!inLink(first)) first = last = first - 1;
  while (inLink(first - 1)) first -= 1;
  while (inLink(last + 1)) last += 1;
  const posOf = (count: number) =>
    parent.children.slice(0, count).reduce((sum, { nodeSize }) => sum + nodeSize, $from.start());
  return { from: posOf(first), to: Math.max(to, posOf(last + 1)), link };
}

const linkAt = ({ nodeAfter, nodeBefore, textOffset }: ResolvedPos): Mark | undefined =>
  LINK.isInSet(nodeAfter?.marks ?? []) ??
  (textOffset === 0 ? LINK.isInSet(nodeBefore?.marks ?? []) : undefined) ??
  undefined;

/** Sets the link of a range. Where nothing is selected, its address is written as text. Keys of the link before it stay. */
export const setLink =
  (address: string, { from, to, link }: LinkRange): Command =>
  (state, dispatch) => {
    const url = completeUrl(address);
    if (url === undefined || !state.doc.resolve(from).parent.type.allowsMarkType(LINK)) return false;
    const { tr } = state;
    if (from === to) tr.insertText(url, from);
    const end = from === to ? from + url.length : to;
    const mark = LINK.create({ url, keys: link?.attrs["keys"] ?? NO_KEYS });
    dispatch?.(tr.removeMark(from, end, LINK).addMark(from, end, mark).removeStoredMark(LINK).scrollIntoView());
    return true;
  };

/** Takes the link away; its text stays. */
export const removeLink =
  ({ from, to }: LinkRange): Command =>
  (state, dispatch) => {
    dispatch?.(state.tr.removeMark(from, to, LINK));
    return true;
  };

/** What an author means by an address: one of a site without its scheme gets `https`, one of mail `mailto`. Undefined: refused. */
export function completeUrl(address: string): string | undefined {
  const given = address.trim();
  const url = withScheme(given);
  return isSafeUrl(given) && isLinkUrl(url) ? url : undefined;
}

function withScheme(url: string): string {
  if (/^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/.test(url)) return `mailto:${url}`;
  return /^(?:[\p{L}\p{N}_-]+\.)+\p{L}{2,}(?:[/?#:]|$)/u.test(url) ? `https://${url}` : url;
}
