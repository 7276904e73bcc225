import { type App, type Precondition, VersionMismatchError } from "@plinth/core";
import { unlimited } from "@plinth/core/access";
import { documentVersion } from "@plinth/core/reads";
import type { OpenHistory } from "./reading/open-history.js";

/**
 * Checks what a restore expects of the document as an update does, whether anything has to be written or not. The document is
 * locked.
 *
 * @throws PLINTH_DOCUMENT_VERSION_MISMATCH (412)
 */
export async function assertVersion(
  app: App,
  { document, sight }: OpenHistory,
  { ifVersion, unlessVersion }: Precondition,
): Promise<void> {
  if (ifVersion === undefined && unlessVersion === undefined) return;
  const versions = document.now ? await versionsOf(app, { document, sight }) : [];
  const isIn = (expected: Precondition["ifVersion"]) =>
    versions.length > 0 && (expected === "*" || versions.some((version) => expected?.includes(version)));
  if ((ifVersion !== undefined && !isIn(ifVersion)) || isIn(unlessVersion)) throw new VersionMismatchError({});
}

/** As the restorer may know it: who may not read all drafts has that of reads, and another of the answers of writes. */
async function versionsOf(
  app: App,
  { document, sight }: Pick<OpenHistory, "document" | "sight">,
): Promise<readonly string[]> {
  const { documentId, locale } = document;
  const versions: string[] = [];
  for (const ability of new Set([sight.ability, unlimited])) {
    const params = { documentId, ability, fields: ["documentId"], fallbackLocale: [], asStored: true };
    const found = await app.documents(sight.type.uid).findOne({ ...params, ...(locale === "" ? {} : { locale }) });
    const version = found && documentVersion(found);
    if (version) versions.push(version);
  }
  return versions;
}
