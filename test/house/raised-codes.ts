import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Context, RootHookObject, Suite, Test } from "mocha";
import { PlinthError } from "../../core/src/base/error.js";
import { listErrors } from "../../scripts/generate-docs.mjs";

const TESTS = fileURLToPath(new URL("..", import.meta.url));
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
 * After a run of all tests, fails when the catalogue has an error that no test has raised. A run of some tests, or one
 * with failures, proves nothing about it.
 */
export const mochaHooks: RootHookObject = {
  async afterAll(this: Context) {
    const root = this.test?.parent;
    if (!root || !isWholeRun(root)) return;
    const unraised = (await listErrors()).filter(({ entry }) => !raised.has(entry.code));
    if (unraised.length === 0) return;
    const lines = unraised.map(({ entry, file }) => `  ${entry.code} of ${file}`);
    throw new Error(`No test raises these errors of the catalogue:\n${lines.join("\n")}`);
  },
};

function isWholeRun(root: Suite): boolean {
  const tests = testsOf(root);
  const loaded = new Set(tests.map((test) => resolve(test.file ?? "")));
  return testFiles().every((file) => loaded.has(file)) && tests.every((test) => test.state === "passed");
}

function testsOf(suite: Suite): readonly Test[] {
  return [...suite.tests, ...suite.suites.flatMap(testsOf)];
}

function testFiles(): readonly string[] {
  const paths = readdirSync(TESTS, { recursive: true }) as string[];
  return paths.filter((path) => path.endsWith(".test.ts")).map((path) => join(TESTS, path));
}
