import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ProjectFiles, writeProject } from "../projects.js";

const FIXTURES = fileURLToPath(new URL("fixtures", import.meta.url));
const COMPILER = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));

const TSCONFIG = {
  compilerOptions: {
    target: "ES2023",
    lib: ["ES2023"],
    module: "NodeNext",
    moduleResolution: "NodeNext",
    customConditions: ["plinth-source"],
    types: ["node"],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ["src", "config", "types"],
};

/** What the compiler said of a project. */
export interface Verdict {
  /** Empty where nothing is wrong. */
  readonly problems: string;
  /** Of the whole process. */
  readonly milliseconds: number;
}

/** The text of a fixture. */
export function fixture(name: string): string {
  return readFileSync(join(FIXTURES, name), "utf8");
}

/** Type-checks a project that has these files, as its editor would, the declarations it generated included. */
export async function typeCheck(files: ProjectFiles): Promise<Verdict> {
  const root = writeProject({ "tsconfig.json": JSON.stringify(TSCONFIG), ...files });
  const since = performance.now();
  const child = spawn(process.execPath, [COMPILER, "--project", root, "--pretty", "false", "--singleThreaded"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let problems = "";
  child.stdout.on("data", (data: Buffer) => {
    problems += data.toString();
  });
  await once(child, "close");
  return { problems, milliseconds: performance.now() - since };
}
