import type { LibraryFile, UploadedFiles } from "../../../src/wire/files.js";
import { type Upload, uploadFiles } from "../../fields/media/files-api.js";

/** A file on its way into the library. */
export interface QueuedFile {
  readonly id: string;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly state: "waiting" | "sending" | "done" | "failed";
  /** How much of it was sent, as a part of 1. */
  readonly part: number;
  /** What the server refused, or that it did not answer. */
  readonly error?: unknown;
}

interface Job {
  readonly file: File;
  readonly folder: string | undefined;
  upload?: Upload<UploadedFiles>;
}

/** How many are sent at once: browsers open six connections to a server. */
const AT_ONCE = 3;

/** Sends files one by one, so that each has its progress, can be cancelled, and fails alone. */
export class UploadQueue {
  #files: readonly QueuedFile[] = [];
  #made = 0;
  readonly #jobs = new Map<string, Job>();
  readonly #listeners = new Set<() => void>();

  /** @param onDone - called with each file that has arrived */
  constructor(private readonly onDone: (file: LibraryFile) => void) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getFiles = (): readonly QueuedFile[] => this.#files;

  /** Whether something would be lost if the page were closed. */
  get isBusy(): boolean {
    return this.#files.some(({ state }) => state === "waiting" || state === "sending");
  }

  /** @param folder - documentId of the one they go into; nothing: the top */
  add(files: readonly File[], folder: string | undefined): void {
    const added = files.map((file): QueuedFile => {
      this.#made += 1;
      const id = String(this.#made);
      this.#jobs.set(id, { file, folder });
      return { id, name: file.name, size: file.size, state: "waiting", part: 0 };
    });
    this.#set([...this.#files, ...added]);
    this.#next();
  }

  /** Stops it; the server keeps nothing of it. */
  cancel(id: string): void {
    const upload = this.#jobs.get(id)?.upload;
    this.#forget(id);
    upload?.cancel();
    this.#next();
  }

  retry(id: string): void {
    this.#change(id, { state: "waiting", part: 0, error: undefined });
    this.#next();
  }

  /** Takes those from the list that are not on their way. */
  clear(): void {
    for (const { id, state } of this.#files) if (state === "done" || state === "failed") this.#forget(id);
  }

  #next(): void {
    const sending = this.#files.filter(({ state }) => state === "sending").length;
    for (const { id } of this.#files.filter(({ state }) => state === "waiting").slice(0, AT_ONCE - sending))
      void this.#send(id);
  }

  async #send(id: string): Promise<void> {
    const job = this.#jobs.get(id);
    if (!job) return;
    this.#change(id, { state: "sending" });
    job.upload = uploadFiles([job.file], (part) => this.#change(id, { part }), job.folder);
    try {
      const [file] = (await job.upload.done)?.data ?? [];
      if (file) {
        this.#change(id, { state: "done", part: 1 });
        this.onDone(file);
      }
    } catch (error) {
      this.#change(id, { state: "failed", error });
    }
    this.#next();
  }

  #change(id: string, changes: Partial<QueuedFile>): void {
    this.#set(this.#files.map((file) => (file.id === id ? { ...file, ...changes } : file)));
  }

  #forget(id: string): void {
    this.#jobs.delete(id);
    this.#set(this.#files.filter((file) => file.id !== id));
  }

  #set(files: readonly QueuedFile[]): void {
    this.#files = files;
    for (const listener of this.#listeners) listener();
  }
}
