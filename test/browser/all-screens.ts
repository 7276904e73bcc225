import type { BrowserApp } from "./browser-app.js";
import { type Screen, screens, states } from "./screens.js";
import { accountScreens, accountStates } from "./screens-accounts.js";
import { builderScreens, builderStates } from "./screens-builder.js";
import { languageScreens, languageStates } from "./screens-languages.js";
import { liveScreens } from "./screens-live.js";
import { listStates } from "./screens-lists.js";
import { mediaScreens, mediaStates, type ShownFiles, writeFiles } from "./screens-media.js";
import { ownersScreens, ownersStates } from "./screens-owners.js";
import { plansScreens, plansStates } from "./screens-plans.js";

/** What the screens show that is written before them. */
export interface Looked {
  readonly documentId: string;
  readonly files: ShownFiles;
}

/** Writes it. @param documentId - of an article with a value of every kind */
export const writeLooked = async (app: BrowserApp, documentId: string): Promise<Looked> => ({
  documentId,
  files: await writeFiles(app),
});

/** Every screen of every part of the page. */
export const allScreens = async (app: BrowserApp, { documentId, files }: Looked): Promise<readonly Screen[]> => [
  ...screens(documentId),
  ...mediaScreens(files),
  ...(await plansScreens(app)),
  ...(await ownersScreens(app)),
  ...builderScreens(),
  ...accountScreens(),
  ...(await languageScreens(app)),
];

/** Every state that a screen is brought into. */
export const allStates = async (app: BrowserApp, { documentId, files }: Looked): Promise<readonly Screen[]> => [
  ...(await states(app, documentId)),
  ...mediaStates(files),
  ...(await listStates(app)),
  ...(await plansStates(app)),
  ...ownersStates,
  ...builderStates(),
  ...(await accountStates(app)),
  ...(await languageStates(app)),
  ...(await liveScreens(app)),
];
