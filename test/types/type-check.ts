import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { typeCheckAll } from "../docs/type-check.js";
import { type ProjectFiles, writeProject } from "../projects.js";

const FIXTURES = fileURLToPath(new URL("fixtures", import.meta.url));

/** The packages are taken as they are built, as apps have them: of their sources, each project would check all once more. */
const TSCONFIG = {
  compilerOptions: {
    target: "ES2023",
    lib: ["ES2023"],
    module: "NodeNext",
    moduleResolution: "NodeNext",
    types: ["node"],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
  },
};

/** The text of a fixture. */
export function fixture(name: string): string {
  return readFileSync(join(FIXTURES, name), "utf8");
}

/**
 * Type-checks projects that have these files, as their editors would, the declarations they generated included.
 *
 * @returns what the compiler says of each, empty where nothing is wrong
 */
export function typeCheck(projects: readonly ProjectFiles[]): Promise<readonly string[]> {
  const written = projects.map((files) => {
    const root = writeProject({ "tsconfig.json": JSON.stringify(TSCONFIG), ...files });
    return { root, paths: Object.keys(files) };
  });
  return typeCheckAll(written);
}
