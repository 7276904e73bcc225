import { useSyncExternalStore } from "react";
import { ownZone } from "../../fields/date/date-text.js";

/** Where the browser keeps the zone that somebody chose for plans. */
const KEY = "plinth-plan-zone";

const listeners = new Set<() => void>();
let chosen: string | undefined;

/** The zone in which plans are shown and made, in all places of the page: that of the computer, until another one is chosen. */
export const useZone = (): readonly [zone: string, choose: (zone: string) => void] => [
  useSyncExternalStore(subscribe, zoneNow),
  choose,
];

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function zoneNow(): string {
  chosen ??= known(localStorage.getItem(KEY)) ?? ownZone();
  return chosen;
}

function choose(zone: string): void {
  if (zone === ownZone()) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, zone);
  chosen = zone;
  for (const listener of listeners) listener();
}

/** A zone that this browser knows. */
function known(zone: string | null): string | undefined {
  try {
    if (zone !== null) return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    // Another version of the browser knew it.
  }
  return undefined;
}
