import { writeFileSync } from "node:fs";
import type { RootHookObject } from "mocha";
import { PlinthError } from "#core/base/error.js";
import { listErrors } from "../../scripts/generate-docs.mjs";

const raised = new Set<string>();

/** Stands between PlinthError and Error, in tests only, and notes the code of every error that is made. */
class NotedError extends Error {
  constructor(...args: ConstructorParameters<ErrorConstructor>) {
    super(...args);
    raised.add((new.target as unknown as { readonly code: string }).code);
  }
}

// super() looks the parent up at every call, so this reaches all classes that createError made or will make.
Object.setPrototypeOf(PlinthError, NotedError);

/** Leaves behind for scripts/test.mjs, which runs the tests in several processes, what of the catalogue this one has not raised. */
export const mochaHooks: RootHookObject = {
  async afterAll() {
    const file = process.env["PLINTH_TEST_UNRAISED"];
    if (!file) return;
    const unraised = (await listErrors()).filter(({ entry }) => !raised.has(entry.code));
    writeFileSync(file, JSON.stringify(unraised.map((error) => `${error.entry.code} of ${error.file}`)));
  },
};
