type Listener = () => Promise<void>;

const listeners = new Set<Listener>();

/** Calls a listener when what the page knows of the caller and the content is no longer right. @returns what stops it */
export function onRefresh(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Reads again who is signed in and what there is; the screen stays. */
export async function refreshSession(): Promise<void> {
  await Promise.all([...listeners].map((listener) => listener()));
}
