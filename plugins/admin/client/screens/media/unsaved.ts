import type { FileChanges } from "../../../src/wire/files.js";

/** What is left of changes after some were saved: what was typed while they were on their way stays. */
export const withoutSent = (changes: FileChanges, sent: FileChanges): FileChanges =>
  Object.fromEntries(
    Object.entries(changes).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(sent[name as keyof FileChanges]),
    ),
  );
