/** Whether this is a computer of Apple, whose command key does what Ctrl does elsewhere. */
const isApple = (): boolean => /mac|iphone|ipad/i.test(navigator.userAgent);

/** Keys as they are written on this computer: `Mod+K` is `Ctrl+K`, or `⌘K`. */
export function keysText(keys: string): string {
  if (!isApple()) return keys.replaceAll("Mod", "Ctrl");
  return keys.replaceAll("Mod+", "⌘").replaceAll("Shift+", "⇧").replaceAll("Alt+", "⌥");
}

/** Whether a key was pressed with what stands for `Mod`. */
export const isMod = ({ ctrlKey, metaKey }: Pick<KeyboardEvent, "ctrlKey" | "metaKey">): boolean =>
  isApple() ? metaKey && !ctrlKey : ctrlKey && !metaKey;
