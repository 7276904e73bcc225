import { useEffect, useRef } from "react";
import { type LiveListener, watchLive } from "./live.js";

/** Watches something for as long as it is shown. @param entry - see watchLive; undefined: nothing */
export function useLive(entry: string | undefined, listener: LiveListener): void {
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => {
    if (entry === undefined) return;
    return watchLive(entry, {
      onChange: (change) => latest.current.onChange?.(change),
      onPeople: (people) => latest.current.onPeople?.(people),
      onLost: () => latest.current.onLost?.(),
    });
  }, [entry]);
}
