import { createWriteStream, existsSync } from "node:fs";
import { join } from "node:path";
import type { App } from "../../kernel/app.js";
import type { DatabaseConfig } from "../../database/driver/connect.js";
import { examineDatabase } from "../../database/doctor/examine-database.js";
import type { Finding } from "../../database/doctor/finding.js";
import { databaseConfigOf } from "../app-database.js";
import { FILES } from "../archive/archive-format.js";
import { type CheckedArchive, checkArchive } from "../archive/check-archive.js";
import { hashOfAll } from "../archive/content-hash.js";
import { exportArchive } from "../archive/export-archive.js";
import { fileStoreOf } from "../archive/file-store.js";
import { importArchive } from "../archive/import-archive.js";
import { type OpenArchive, withArchive } from "../archive/open-archive.js";
import type { ReadLimits } from "../archive/read-guard.js";
import { readVersions } from "../archive/read-versions.js";
import type { Project } from "../command.js";
import { withTemporaryFolder } from "../temporary-folder.js";
import {
  comparedPart,
  type ContentDifference,
  differencesIn,
  digestsOf,
  readRestored,
  type RestoredContent,
} from "./compare-content.js";
import { newestArchive } from "./newest-archive.js";
import { runRestore } from "./restore-command.js";
import { assertEmpty, scratchConfig, untilRestored } from "./scratch-database.js";

/** How a drill is done. */
export interface DrillOptions {
  /** An archive, or a folder of them; undefined: one is made of the app as it is. */
  readonly archive: string | undefined;
  /** URL of a database for the drill; undefined: an embedded one, which is removed afterwards. */
  readonly database: string | undefined;
  /** A command that restores another backup into `database`; undefined: the archive is what is restored. */
  readonly restore: string | undefined;
  readonly limits: ReadLimits;
  /** Of Plinth. */
  readonly version: string;
  readonly say: (line: string) => void;
}

/** What a drill found. */
export interface DrillReport {
  /** Path of the archive, or `-` for the app as it was. */
  readonly archive: string;
  /** ISO 8601: the moment that the archive has; undefined for one that does not say it. */
  readonly createdAt: string | undefined;
  /** Versions that were compared. */
  readonly versions: number;
  /** Of the archive, in hex: `hashOfAll`. */
  readonly wantedHash: string;
  /** Of what was restored. */
  readonly foundHash: string;
  readonly differences: readonly ContentDifference[];
  /** Keys of files that the archive lacks the bytes of. */
  readonly missingFiles: readonly string[];
  readonly findings: readonly Finding[];
  /** Seconds of writes that would be lost; undefined where the archive does not say its time. */
  readonly rpo: number | undefined;
  /** Seconds from the start of restoring until the app had started. */
  readonly rto: number;
}

/**
 * Restores a backup beside an app, starts the app on it, has the doctor look at it, and compares its content. The app's own
 * database and files stay as they are.
 *
 * @throws PLINTH_ARCHIVE_*, PLINTH_DRILL_DATABASE_IN_USE, PLINTH_DRILL_RESTORE_FAILED (500)
 */
export function runDrill(project: Project, options: DrillOptions): Promise<DrillReport> {
  return withTemporaryFolder("drill", (folder) => new Drill(project, options, folder).run());
}

/** What was restored, and when. */
interface Restored {
  /** `performance.now()` when it began. */
  readonly began: number;
  /** Epoch ms of the last transaction that the restored server replayed. */
  readonly replayed?: number | undefined;
}

/** A look at the app that runs on what was restored. */
interface Inspection {
  readonly content: RestoredContent;
  readonly findings: readonly Finding[];
  readonly readyAt: number;
}

class Drill {
  /** Epoch ms: as if all was lost now. */
  readonly #lostAt = Date.now();
  readonly #scratch: DatabaseConfig;

  constructor(
    private readonly project: Project,
    private readonly options: DrillOptions,
    private readonly folder: string,
  ) {
    const config = { database: project.app.config.get("database") };
    this.#scratch = scratchConfig(databaseConfigOf({ root: project.root, config }), options.database, folder);
  }

  async run(): Promise<DrillReport> {
    const { archive, limits, restore, database } = this.options;
    if (restore === undefined && database !== undefined) await assertEmpty(this.#scratch);
    const source = archive === undefined ? await this.#export() : await newestArchive(archive);
    const began = performance.now();
    return withArchive({ source, input: process.stdin, limits }, async (open) => {
      const checked = await checkArchive(open, this.project.model);
      const restored = await this.#restore(checked, began);
      return this.#report(checked, restored);
    });
  }

  /** An archive of the app as it is. */
  async #export(): Promise<string> {
    const { version, restore, say } = this.options;
    const path = join(this.folder, "now.tar.gz");
    const output = createWriteStream(path, { mode: 0o600 });
    const all = { types: undefined, since: undefined, withSecrets: true, fromPrimary: false };
    say("exporting the app as it is");
    await this.project.withApp((app) =>
      exportArchive(app, { ...all, output, version, withFiles: restore === undefined, say }),
    );
    return path;
  }

  async #restore(archive: CheckedArchive, began: number): Promise<Restored> {
    const { restore, database = "", say } = this.options;
    if (restore === undefined) {
      say("importing it into an empty database");
      const settings = { onConflict: "skip", isDryRun: false, withFiles: false, say } as const;
      await this.project.withApp((app) => importArchive(app, archive, settings), this.#config(true));
      return { began };
    }
    const start = performance.now();
    const { createdAt = new Date(this.#lostAt).toISOString(), position } = archive.manifest;
    say(`restoring by ${restore}`);
    await runRestore({ command: restore, database, time: createdAt, position: position ?? "" });
    return { began: start, replayed: await untilRestored(this.#scratch, restore) };
  }

  /** Configuration of the app on the scratch database. @param isNew - whether its tables have to be made first */
  #config(isNew: boolean): Readonly<Record<string, unknown>> {
    return { database: this.#scratch, ...(isNew ? { schema: { sync: "apply" } } : {}) };
  }

  async #report(archive: CheckedArchive, restored: Restored): Promise<DrillReport> {
    const { archive: given, restore, say } = this.options;
    const part = comparedPart(archive, this.project.model);
    const wanted = await digestsOf(archive, part);
    say("starting the app on what was restored");
    const { content, findings, readyAt } = await this.project.withApp(async (app) => {
      const ready = performance.now();
      return { content: await readRestored(app, part), findings: await examine(app), readyAt: ready } as Inspection;
    }, this.#config(false));
    const differences = differencesIn(wanted, content.digests);
    return {
      archive: given === undefined ? "-" : archive.source,
      createdAt: archive.manifest.createdAt,
      versions: [...content.digests.values()].reduce((sum, { versions }) => sum + versions, 0),
      wantedHash: hashOfAll(wanted),
      foundHash: hashOfAll(content.digests),
      differences,
      missingFiles: restore === undefined ? await missingFiles(this.project.app, archive) : [],
      findings,
      rpo: this.#rpo(archive, differences.length === 0 ? undefined : content, restored),
      rto: (readyAt - restored.began) / 1000,
    };
  }

  /** @param behind - what was restored where it is not what it should be */
  #rpo({ manifest }: CheckedArchive, behind: RestoredContent | undefined, { replayed }: Restored): number | undefined {
    const archivedAt = manifest.createdAt === undefined ? undefined : Date.parse(manifest.createdAt);
    if (this.options.restore === undefined)
      return archivedAt === undefined ? undefined : Math.max(0, this.#lostAt - archivedAt) / 1000;
    if (behind === undefined) return 0;
    const last = Math.max(replayed ?? 0, Date.parse(behind.newest) || 0);
    return Math.max(0, (archivedAt ?? this.#lostAt) - last) / 1000;
  }
}

async function examine(app: App): Promise<readonly Finding[]> {
  const { db, model, clock } = app;
  return (await examineDatabase({ db, model, clock, pooler: "none", countsAll: false })).findings;
}

/** Keys of files that documents of an archive name and that it has no bytes of; none of one that was made without files. */
async function missingFiles(app: App, archive: CheckedArchive & OpenArchive): Promise<readonly string[]> {
  if (!existsSync(join(archive.folder, FILES))) return [];
  const missing = new Set<string>();
  for (const part of archive.parts)
    for await (const { uid, version } of readVersions(archive, part))
      for (const key of fileStoreOf(app, uid)?.keysOf(version.values) ?? [])
        if (!existsSync(join(archive.folder, `${FILES}${key}`))) missing.add(key);
  return [...missing];
}
