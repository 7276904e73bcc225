import type { Presence, PresenceRequest } from "../../src/wire/live.js";
import { ownHeaders } from "../app/api.js";
import { TAB } from "./live.js";

/** Milliseconds between two times that a tab says where it is, while it is looked at. */
const BEAT = 10_000;
/** Milliseconds that the focus has to rest in a field. */
const REST = 250;

/**
 * Says where this tab is, as long as it is looked at.
 *
 * @param placeNow - asked each time; null: no presence is sent
 * @returns `look` says that the place may be another, `stop` that the tab has left
 */
export function startPresence(placeNow: () => Presence | null): { look(): void; stop(): void } {
  const stopped = new AbortController();
  const { signal } = stopped;
  let said = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const say = (isBeat: boolean) => {
    const at = document.visibilityState === "visible" ? placeNow() : null;
    const text = JSON.stringify(at);
    if (at === null || (!isBeat && text === said)) return;
    said = text;
    void send({ tab: TAB, at });
  };
  const leave = () => {
    if (said !== "") void send({ tab: TAB, at: null }, true);
    said = "";
  };
  const beat = setInterval(() => say(true), BEAT);
  const look = () => {
    clearTimeout(timer);
    timer = setTimeout(() => say(false), REST);
  };
  addEventListener("pagehide", leave, { signal });
  document.addEventListener("visibilitychange", () => say(true), { signal });
  document.addEventListener("focusin", look, { signal });
  document.addEventListener("focusout", look, { signal });
  look();
  return {
    look,
    stop: () => {
      stopped.abort();
      clearInterval(beat);
      clearTimeout(timer);
      leave();
    },
  };
}

/** A request that fails is repeated by the next beat. One that is refused starts no sign-in: the next action of the reader does. */
async function send(body: PresenceRequest, isLeaving = false): Promise<void> {
  const headers = { ...ownHeaders(), "Content-Type": "application/json" };
  const init: RequestInit = { method: "POST", headers, body: JSON.stringify(body), keepalive: isLeaving };
  const answer = await fetch("/admin/api/presence", { ...init, credentials: "same-origin" }).catch(() => undefined);
  // A body that is not read keeps its connection.
  await answer?.body?.cancel();
}
