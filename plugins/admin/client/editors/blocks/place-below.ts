import type { EditorView } from "prosemirror-view";

const GAP = 4;

/** Puts a window below a place of the text, above it where there is no room, within the editor's frame at both sides. */
export function placeBelow(popup: HTMLElement | null, view: EditorView, pos: number): void {
  const frame = popup?.offsetParent;
  if (!popup || !frame) return;
  const at = view.coordsAtPos(Math.min(pos, view.state.doc.content.size));
  const around = frame.getBoundingClientRect();
  const isAbove = at.bottom + popup.offsetHeight > innerHeight && at.top > popup.offsetHeight;
  const top = isAbove ? at.top - popup.offsetHeight - GAP : at.bottom + GAP;
  const left = Math.min(at.left - around.left, around.width - popup.offsetWidth - GAP);
  popup.style.top = `${top - around.top}px`;
  popup.style.left = `${Math.max(GAP, left)}px`;
}
