import { randomUUID } from "node:crypto";
import type { AppSetup } from "../../app/app-setup.js";
import type { SourceChange, SourceChangeOptions, SourceFile, Sources } from "../../app/sources.js";
import { SchemaDestructiveError } from "../../database/errors.js";
import { SourcesBusyError } from "./errors.js";
import { changedSince, putBack, WAITING, writeSources } from "./write-sources.js";

/** What changes of the sources work on. */
export interface ServedSources {
  /** Folder of the project. */
  readonly root: string;
  /** Reads the project and serves it. @throws what a start throws; the version before keeps serving then */
  readonly serve: (losses?: AppSetup["losses"]) => Promise<void>;
  /** Does work when all that came before it is done: one version starts at a time. */
  readonly enqueue: (work: () => Promise<void>) => void;
  /** Prints why a change did not start. */
  readonly report: (error: unknown) => void;
}

/** The sources of a project that is served from them. */
export class LiveSources implements Sources {
  #last: SourceChange | undefined;
  #isWriting = false;
  /** What was written or put back last, as it is now. */
  #own: readonly SourceFile[] = [];

  constructor(private readonly served: ServedSources) {}

  get last(): SourceChange | undefined {
    return this.#last;
  }

  async change(files: readonly SourceFile[], options: SourceChangeOptions = {}): Promise<SourceChange> {
    if (this.#isWriting || this.#last?.state === "restarting") throw new SourcesBusyError({});
    this.#isWriting = true;
    try {
      await writeSources(this.served.root, files);
    } finally {
      this.#isWriting = false;
    }
    this.#own = files.map(({ path, after }) => ({ path, before: after, after }));
    const change: SourceChange = { id: randomUUID(), state: "restarting" };
    this.#last = change;
    this.served.enqueue(() => this.#start(change.id, files, options));
    return change;
  }

  /**
   * Whether changed files are those that were written here and still are as they were written, so that what serves is what
   * they hold.
   *
   * @param paths - from the folder of the project, of files and folders
   */
  async areServed(paths: readonly string[]): Promise<boolean> {
    const plain = paths.map((path) => path.replaceAll("\\", "/")).filter((path) => !path.endsWith(WAITING));
    const isOwn = (path: string) => this.#own.some((file) => file.path === path || file.path.startsWith(`${path}/`));
    return plain.every(isOwn) && (await changedSince(this.served.root, this.#own)).length === 0;
  }

  /** The sources are read again for a change from elsewhere: none is one of these from now on. */
  forget(): void {
    this.#own = [];
  }

  async #start(
    id: string,
    files: readonly SourceFile[],
    { allowDataLoss = false }: SourceChangeOptions,
  ): Promise<void> {
    try {
      await (allowDataLoss ? this.#serveAndLose() : this.served.serve());
      this.#last = { id, state: "ready" };
    } catch (failure) {
      this.served.report(failure);
      const left = await putBack(this.served.root, files);
      this.#own = files.map(({ path, before }) => ({ path, before, after: before }));
      // Where a loss was allowed, the tables or what serves may be of the new model.
      if (allowDataLoss) await this.#serveAgain();
      this.#last = { id, state: "failed", failure, left };
    }
  }

  /** First with all that the tables hold, so that nothing is lost to a version that does not start. */
  async #serveAndLose(): Promise<void> {
    try {
      await this.served.serve("wait");
    } catch (error) {
      // An attribute of another kind takes the column of what is lost: that cannot wait.
      if (!isDestructive(error)) throw error;
    }
    await this.served.serve("allowed");
  }

  async #serveAgain(): Promise<void> {
    try {
      await this.served.serve("allowed");
    } catch (error) {
      this.served.report(error);
    }
  }
}

function isDestructive(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (SchemaDestructiveError.is(cause)) return true;
  return false;
}
