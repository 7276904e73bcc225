import { setTimeout } from "node:timers/promises";
import type { Page } from "playwright-core";

/**
 * The journals in the browser, as JSON: keys and entries. Runs in the page, so it uses nothing of this file. It asks to
 * write, so it waits until the page's own write is committed.
 */
export async function readJournals(): Promise<string> {
  const opening = indexedDB.open("plinth-admin");
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  const transaction = database.transaction("journals", "readwrite");
  const [keys, entries] = [
    transaction.objectStore("journals").getAllKeys(),
    transaction.objectStore("journals").getAll(),
  ];
  await new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
  database.close();
  return JSON.stringify({ keys: keys.result, entries: entries.result });
}

/** How long the browser may take to keep what was typed, in milliseconds. */
const PATIENCE = 60_000;

/** Waits until the journal in the browser holds a text: from then on it outlives the tab. @throws Error after a minute */
export async function journalled(page: Page, text: string): Promise<void> {
  const until = Date.now() + PATIENCE;
  for (;;) {
    const journals = await page.evaluate(readJournals);
    if (journals.includes(JSON.stringify(text))) return;
    if (Date.now() > until) throw new Error(`The journal has no ${JSON.stringify(text)}: ${journals}`);
    await setTimeout(50);
  }
}
