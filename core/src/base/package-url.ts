import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const { resolve } = createRequire(import.meta.url);

/**
 * The `file:` URL of a package that core depends on, for a thread to import. Not `import.meta.resolve`: test runners that
 * load modules by themselves, such as vitest, do not have it.
 */
export const packageUrl = (name: string): string => pathToFileURL(resolve(name)).href;
