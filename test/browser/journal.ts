import type { Page } from "playwright-core";

/** Waits until the journal in the browser holds a text: from then on it outlives the tab. */
export async function journalled(page: Page, text: string): Promise<void> {
  await page.waitForFunction(async (wanted) => {
    const opening = indexedDB.open("plinth-admin");
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    // One that may write waits until the page's own write is committed.
    const reading = database.transaction("journals", "readwrite").objectStore("journals").getAll();
    const rows = await new Promise<unknown[]>((resolve, reject) => {
      reading.onsuccess = () => resolve(reading.result);
      reading.onerror = () => reject(reading.error);
    });
    database.close();
    return JSON.stringify(rows).includes(JSON.stringify(wanted));
  }, text);
}
