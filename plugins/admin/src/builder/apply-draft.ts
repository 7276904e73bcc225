import type { App } from "@plinth/core";
import type { SourceChange } from "@plinth/core/schema";
import type { BuilderApplication, BuilderChange } from "../wire/builder.js";
import { problemsOf } from "./draft-model.js";
import {
  BuilderInvalidError,
  BuilderLossError,
  BuilderReadOnlyError,
  BuilderStaleError,
  BuilderUnservedError,
} from "./errors.js";
import { planDraft } from "./plan-draft.js";
import { readSchemaFiles } from "./schema-files.js";
import { servedFiles } from "./served-files.js";

/**
 * Writes the files of a draft, and lets the app start with them.
 *
 * @throws PLINTH_ADMIN_BUILDER_READ_ONLY, PLINTH_ADMIN_BUILDER_STALE, PLINTH_ADMIN_BUILDER_UNSERVED, PLINTH_SOURCES_BUSY, PLINTH_SOURCES_CHANGED (409),
 *   PLINTH_ADMIN_BUILDER_INVALID, PLINTH_ADMIN_BUILDER_LOSS, PLINTH_SOURCES_OUTSIDE (400); nothing was changed
 */
export async function applyDraft(app: App, { changes, hash, names }: BuilderApplication): Promise<BuilderChange> {
  const { sources } = app;
  if (!sources) throw new BuilderReadOnlyError({});
  const plan = await planDraft(app, changes);
  if (plan.problems.length > 0) throw new BuilderInvalidError({ problems: plan.problems });
  if (plan.hash !== hash) throw new BuilderStaleError({ files: [] });
  const unnamed = plan.losses.filter(({ id, name }) => names[id] !== name);
  if (unnamed.length > 0) throw new BuilderLossError({ names: unnamed.map(({ name }) => name) });
  const unserved = await app.service(servedFiles).changed();
  if (unserved.length > 0) throw new BuilderUnservedError({ files: unserved });
  const change = await sources.change(plan.files, { allowDataLoss: plan.losses.length > 0 });
  return { id: change.id, state: change.state, problems: [] };
}

/** How the newest change went on; null: there was none. */
export async function newestChange(app: App): Promise<BuilderChange | null> {
  const change = app.sources?.last;
  return change ? await viewOfChange(app, change) : null;
}

async function viewOfChange(app: App, { id, state, failure, left = [] }: SourceChange): Promise<BuilderChange> {
  if (state !== "failed") return { id, state, problems: [] };
  const files = await readSchemaFiles(app);
  const places = new Map(files.flatMap(({ uid, path }) => (path === null ? [] : [[`${app.root}/${path}`, uid]])));
  const kept = left.map((path) => ({
    ...{ uid: null, path: "", remedy: "" },
    message: `${path} was changed meanwhile and is left as it is.`,
  }));
  return { id, state, problems: [...problemsOf(failure, places), ...kept] };
}
