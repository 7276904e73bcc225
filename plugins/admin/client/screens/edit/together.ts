import { ApiError } from "../../app/api.js";
import { isAlike } from "../../form/equal.js";
import { isMissing, readEntry } from "./entry-requests.js";
import type { OpenDocument } from "./open-document.js";
import { isOtherState, labelsOf, meet, type News, toldOf } from "./others.js";

/**
 * Somebody may have saved: the form shows it where nothing is typed, and says so where something is.
 *
 * @param news - undefined: it is not known who did what
 */
export function lookAgain(opened: OpenDocument, news: News | undefined): Promise<void> {
  // A save that waits for the server joins what it finds by itself.
  if (opened.isNew || opened.state.work === "waiting") return Promise.resolve();
  return opened.after(() => look(opened, news ?? { name: null, at: new Date().toISOString() }));
}

async function look(opened: OpenDocument, news: News): Promise<void> {
  try {
    const read = await readEntry(opened.place);
    const { store } = opened;
    const { entry: before, conflicts } = opened.state;
    if (conflicts.length > 0) return;
    if (read.version === opened.version) {
      if (!isAlike(before, read.entry)) opened.note({ entry: read.entry });
      const { others } = opened.state;
      if (others) opened.note({ others: toldOf(others, news) });
      return;
    }
    const met = meet(store, read);
    const labels = labelsOf(met, store);
    const isPublication = labels.length === 0 && isOtherState(before, read.entry);
    const since = opened.state.others?.since ?? opened.version;
    const others = { ...news, met, labels, since, isPublication };
    if (store.changedPaths.size > 0 && labels.length > 0)
      return opened.note({ others: { ...others, state: "waiting" } });
    opened.adopt(met);
    if (labels.length > 0 || isPublication) opened.note({ others: { ...others, state: "shown" } });
  } catch (error) {
    // What cannot be read now is found by the next save.
    if (!(error instanceof ApiError)) throw error;
    if (isMissing(error)) opened.note({ isGone: true, goneBy: news });
  }
}

/** Takes in what others saved. Where both changed the same it is asked what stays. */
export function takeIn(opened: OpenDocument): void {
  const { others } = opened.state;
  if (!others) return;
  const met = meet(opened.store, others.met);
  if (met.merged.overlaps.length > 0) opened.ask(met);
  else opened.adopt(met);
}
