/** What can be opened above every screen. */
export type FinderPart = "palette" | "keys";

let open: (part: FinderPart) => void = () => undefined;

/** Calls what opens a part. @returns what ends that */
export function onOpen(listener: (part: FinderPart) => void): () => void {
  open = listener;
  return () => {
    open = () => undefined;
  };
}

/** Opens the search of everything, as Ctrl+K does. */
export const openPalette = (): void => open("palette");

/** Opens the list of keys, as `?` does. */
export const openKeys = (): void => open("keys");
