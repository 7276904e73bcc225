import { useState } from "react";
import { ownZone } from "../../fields/date/date-text.js";

/** Where the browser keeps the zone that somebody chose for plans. */
const KEY = "plinth-plan-zone";

/** The zone in which plans are shown and made: that of the computer, until another one is chosen. */
export function useZone(): readonly [zone: string, choose: (zone: string) => void] {
  const [zone, setZone] = useState(() => known(localStorage.getItem(KEY)) ?? ownZone());
  const choose = (next: string) => {
    if (next === ownZone()) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, next);
    setZone(next);
  };
  return [zone, choose];
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
