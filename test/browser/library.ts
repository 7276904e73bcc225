import type { Page } from "playwright-core";
import sharp from "sharp";
import { signIn } from "../plugins/admin/sign-in.js";
import type { BrowserApp } from "./browser-app.js";

/** A file that a reader brings. */
interface Brought {
  readonly name: string;
  readonly type: string;
  readonly content: Uint8Array;
}

/** Draws a picture of one colour. */
export function drawPicture(width: number, height: number, type: "png" | "jpeg", colour: string): Promise<Uint8Array> {
  return sharp({ create: { width, height, channels: 3, background: colour } })
    .toFormat(type)
    .toBuffer();
}

/** Makes a folder as super. @returns its documentId */
export async function addFolder(app: BrowserApp, name: string, parent: string | null = null): Promise<string> {
  const { body, text } = await app.ask("POST", "/admin/api/folders", await by(app), { name, parent });
  if (!body?.data) throw new TypeError(text);
  return body.data.documentId as string;
}

/** Uploads a file as super. @returns its documentId */
export async function addFile(
  app: BrowserApp,
  name: string,
  content: string | Uint8Array,
  folder: string | null = null,
): Promise<string> {
  const form = new FormData();
  form.append("files", new Blob([typeof content === "string" ? content : new Uint8Array(content)]), name);
  form.append("fileInfo", JSON.stringify({ folder }));
  const { body, text } = await app.ask("POST", "/admin/api/files", await by(app), form);
  if (!body?.data) throw new TypeError(text);
  return body.data[0].documentId as string;
}

const by = async (app: BrowserApp) => ({ ...(await signIn(app.plinth.app, "super")), "x-plinth-admin": "1" });

/** Drops files onto the page, as from a folder of the reader's computer. */
export async function dropFiles(page: Page, files: readonly Brought[]): Promise<void> {
  const dataTransfer = await transferOf(page, files);
  for (const kind of ["dragenter", "dragover", "drop"]) await page.dispatchEvent("main", kind, { dataTransfer });
}

/** Pastes a file into the page. */
export async function pasteFile(page: Page, file: Brought): Promise<void> {
  const transfer = await transferOf(page, [file]);
  await page.evaluate((clipboardData) => {
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, transfer);
}

function transferOf(page: Page, files: readonly Brought[]) {
  const sent = files.map(({ name, type, content }) => ({
    name,
    type,
    base64: Buffer.from(content).toString("base64"),
  }));
  return page.evaluateHandle((given) => {
    const transfer = new DataTransfer();
    for (const { name, type, base64 } of given)
      transfer.items.add(new File([Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))], name, { type }));
    return transfer;
  }, sent);
}
