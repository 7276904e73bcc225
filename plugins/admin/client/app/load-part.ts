/** How often code is asked for before it is given up, and milliseconds between two tries. */
const TRIES = 10;
const REST = 2_000;

/**
 * Loads code of the page that was left for later. It waits for the network, and for a server that restarts.
 *
 * @throws what the browser says, after 10 tries with a network
 */
export async function loadPart<Part>(load: () => Promise<Part>, tries = TRIES): Promise<Part> {
  if (!navigator.onLine) await new Promise((resolve) => addEventListener("online", resolve, { once: true }));
  try {
    return await load();
  } catch (error) {
    if (tries <= 1) throw error;
    await new Promise((resolve) => setTimeout(resolve, REST));
    return await loadPart(load, tries - 1);
  }
}

/** Does something when the browser has nothing else to do. */
export function whenIdle(work: () => void): void {
  // Safari has no requestIdleCallback.
  if (typeof requestIdleCallback === "function") requestIdleCallback(work);
  else setTimeout(work, REST);
}
