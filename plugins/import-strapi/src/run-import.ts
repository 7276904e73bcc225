import { resolve } from "node:path";
import type { App, Project } from "@plinth/core";
import type { ContentModel } from "@plinth/core/schema";
import { EntryConverter } from "./convert/convert-entry.js";
import { describeSettings, reportSkipped, type SettingsConfig } from "./convert/settings.js";
import { endpointsOf } from "./convert/webhooks.js";
import type { ExportedSchema, ExportedSetting, StrapiExport } from "./source/export-format.js";
import { type ExportLimits, LIMITS } from "./source/export-limits.js";
import { type ExportIndex, readIndex } from "./source/export-index.js";
import { ContentImport, type Sink, type TypeResult } from "./write/import-content.js";
import { checkFiles, hasFiles, importFiles } from "./write/import-files.js";
import { importLocales, plannedLocales } from "./write/import-locales.js";
import { Grants } from "./write/import-people.js";
import { importWebhooks, plannedWebhooks, supportsWebhooks } from "./write/import-webhooks.js";
import { type Issue, Issues } from "./issues.js";
import { openExport } from "./source/open-export.js";
import { prepareImport, readSchemas } from "./convert/plan-schemas.js";
import { Progress } from "./progress.js";
import { isAppFolder, readAppFolder } from "./source/read-app-folder.js";
import type { StoredFiles } from "./source/stored-files.js";
import type { EndpointValues } from "@plinth/plugin-webhooks";

/** What is imported, and how. */
export interface ImportOptions {
  /** The app that gets it. */
  readonly project: Project;
  /** An export, or the folder of an app. */
  readonly source: string;
  /** True: nothing is changed, neither files nor the database. */
  readonly isDryRun: boolean;
  /** How large the export may be; LIMITS by default. */
  readonly limits?: ExportLimits;
  /** Called with lines of progress. */
  readonly say: (line: string) => void;
}

/** The result of an import or a dry run. */
export interface ImportReport {
  /** Schema files, from the app's folder. */
  readonly schemas: readonly string[];
  /** The results by content-type; empty for the folder of an app, which has none. */
  readonly types: readonly TypeResult[];
  readonly issues: readonly Issue[];
  /** The configuration for config/plugins that does what the settings of the export did, by plugin. */
  readonly config: SettingsConfig;
}

/**
 * Imports the content of a Strapi app. The whole export is read and converted before anything is
 * written, so that a damaged one leaves nothing behind; then come schema files, locales, files and entries. What is there
 * already stays untouched, so that a run that was ended is simply run again.
 *
 * @throws PLINTH_IMPORT_*, PLINTH_SCHEMA_INVALID, and what starting the app throws
 */
export async function runImport(options: ImportOptions): Promise<ImportReport> {
  const { project, isDryRun } = options;
  const path = resolve(project.root, options.source);
  const issues = new Issues();
  const limits = options.limits ?? LIMITS;
  const source = isAppFolder(path) ? undefined : await openExport(path, { limits, issues });
  const exported = source ? await readSchemas(source) : await readAppFolder(path);
  const { schemas, model } = prepareImport(project, exported, issues);
  const hasPlugin = (name: string) => project.app.has(name);
  const writeSchemas = () => (isDryRun ? Promise.resolve() : project.writeFiles(schemas.files));
  const run = new ImportRun(options, exported, issues);
  const types = source ? await run.content(source, { model, hasPlugin, writeSchemas }) : [];
  if (!source) await writeSchemas();
  if (!source) issues.add("content", "a folder has schemas only: import what `npx strapi export --no-encrypt` writes");
  return { schemas: schemas.files.map((file) => file.path), types, issues: issues.list(), config: run.config };
}

/** What is known of the app that gets the content. */
interface Planned {
  readonly model: ContentModel;
  readonly hasPlugin: (name: string) => boolean;
  readonly writeSchemas: () => Promise<void>;
}

/** What an export has beside entries. */
interface Configuration {
  readonly settings: readonly ExportedSetting[];
  readonly webhooks: readonly EndpointValues[];
}

/** The import of one export into one app. */
class ImportRun {
  readonly #progress: Progress;
  /** See ImportReport. */
  config: SettingsConfig = {};

  constructor(
    private readonly options: ImportOptions,
    private readonly exported: readonly ExportedSchema[],
    private readonly issues: Issues,
  ) {
    this.#progress = new Progress(options.say);
  }

  async content(source: StrapiExport, planned: Planned): Promise<readonly TypeResult[]> {
    this.options.say(`reading ${this.options.source}, written by Strapi ${source.version}`);
    const index = await readIndex(source, planned.model, this.issues);
    const settings: ExportedSetting[] = [];
    for await (const setting of source.lines("configuration")) settings.push(setting);
    this.config = describeSettings(settings);
    reportSkipped({ index, settings, model: planned.model }, this.issues);
    if (planned.hasPlugin("upload")) checkFiles(source, index, this.issues);
    const { isDryRun } = this.options;
    const checked = await this.#dryRun(source, index, planned, isDryRun ? this.issues : new Issues());
    const webhooks = supportsWebhooks(planned.model) ? endpointsOf(settings, this.issues) : [];
    if (isDryRun) return [...checked, ...plannedWebhooks(webhooks)];
    await planned.writeSchemas();
    return this.#perform(source, index, { settings, webhooks });
  }

  async #dryRun(
    source: StrapiExport,
    index: ExportIndex,
    planned: Planned,
    issues: Issues,
  ): Promise<readonly TypeResult[]> {
    const nowhere: Sink = async (_uid, versions) => ({ written: versions.length, present: 0, refused: [] });
    const locales = plannedLocales(planned.model, index, { issues, canAdd: planned.hasPlugin("i18n") });
    const { model } = planned;
    const parts = { model, index, locales, issues, files: undefined, step: "checked" };
    return this.#import(source, parts, new Grants(), nowhere);
  }

  async #perform(
    source: StrapiExport,
    index: ExportIndex,
    configuration: Configuration,
  ): Promise<readonly TypeResult[]> {
    const { project, say } = this.options;
    say("starting the app, without a port");
    return project.withApp((app) => this.#into(app, source, { index, ...configuration }));
  }

  async #into(
    app: App,
    source: StrapiExport,
    { index, settings, webhooks }: Configuration & { readonly index: ExportIndex },
  ): Promise<readonly TypeResult[]> {
    const { model, loader } = app;
    await importLocales(app, index, settings);
    const locales = plannedLocales(model, index, { issues: this.issues, canAdd: false });
    const grants = new Grants();
    await grants.prepare(app, index);
    const files = hasFiles(app) ? await importFiles(source, { app, index, progress: this.#progress }) : undefined;
    const uids = [...index.totals.keys()].filter((uid) => model.contentTypes.has(uid));
    for (const uid of uids) await loader.reserveIds(uid, index.highestId(uid));
    const into: Sink = async (uid, versions, highestComponent) => {
      if (highestComponent > 0) await loader.reserveComponentIds(highestComponent);
      return loader.load(uid, versions);
    };
    const parts = { model, index, locales, issues: this.issues, files, step: "entries" };
    const types = await this.#import(source, parts, grants, into);
    for (const uid of uids) await loader.completeDrafts(uid);
    await grants.tell(app);
    return [...types, ...(await importWebhooks(app, webhooks, this.issues))];
  }

  #import(
    source: StrapiExport,
    parts: {
      readonly model: ContentModel;
      readonly index: ExportIndex;
      readonly locales: ReadonlySet<string>;
      readonly issues: Issues;
      readonly files: StoredFiles | undefined;
      readonly step: string;
    },
    grants: Grants,
    sink: Sink,
  ): Promise<readonly TypeResult[]> {
    const withDrafts = new Set(
      this.exported.filter(({ options }) => options?.["draftAndPublish"] === true).map(({ uid }) => uid),
    );
    const converter = new EntryConverter({ ...parts, withDrafts });
    return new ContentImport({ ...parts, converter, grants, progress: this.#progress, sink }).run(source);
  }
}
