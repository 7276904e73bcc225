import { writeFileSync } from "node:fs";
import type { Context, RootHookObject, Suite, Test } from "mocha";
import { PlinthError } from "../../core/src/base/error.js";
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

/**
 * Leaves behind for scripts/test.mjs, which runs the tests in several processes, what of the catalogue no test of this one
 * has raised. A run with failures proves nothing about it.
 */
export const mochaHooks: RootHookObject = {
  async afterAll(this: Context) {
    const file = process.env["PLINTH_TEST_UNRAISED"];
    const root = this.test?.parent;
    if (!file || !root || testsOf(root).some((test) => test.state !== "passed")) return;
    const unraised = (await listErrors()).filter(({ entry }) => !raised.has(entry.code));
    writeFileSync(file, JSON.stringify(unraised.map((error) => `${error.entry.code} of ${error.file}`)));
  },
};

function testsOf(suite: Suite): readonly Test[] {
  return [...suite.tests, ...suite.suites.flatMap(testsOf)];
}
