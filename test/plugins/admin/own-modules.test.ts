import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { App } from "@plinth/core";
import { expect } from "chai";
import { addOwnModules, buildOwnModules } from "#plugins/admin/src/page/own-modules.js";
import { PageExtensions } from "#plugins/admin/src/page/page-extensions.js";
import { typeCheck } from "../../docs/type-check.js";

const ROOT = join(import.meta.dirname, "..", "..", "..");

const TSCONFIG = JSON.stringify({
  compilerOptions: {
    ...{ target: "ES2023", lib: ["ES2023", "DOM"], module: "ESNext", moduleResolution: "bundler" },
    ...{ jsx: "react-jsx", strict: true, skipLibCheck: false, types: [] },
  },
});

const INDEX = `import { defineAdminExtension, textOf, type FieldProps } from "@plinth/plugin-admin/extend";
import { useState } from "react";
import { shade } from "./shade.js";

function Colour({ attribute, value, set }: FieldProps) {
  const [count, setCount] = useState(0);
  const label: string = textOf({ en: "Colour", de: "Farbe" });
  return <input aria-label={attribute.label + label + shade} value={String(value ?? "")} onChange={(event) => { set(event.target.value); setCount(count + 1); }} />;
}

export default defineAdminExtension({ api: 1, fields: { colour: { input: async () => ({ default: Colour }) } } });
`;

describe("modules for the admin page in the sources of an app", () => {
  let root = "";
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  beforeEach("write an app", () => {
    root = mkdtempSync(join(tmpdir(), "plinth-own-modules-"));
    symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"), "dir");
    write("package.json", "{}");
    write("src/admin/index.tsx", INDEX);
    write("src/admin/shade.ts", 'export const shade: string = "deep";\n');
    write("src/plugins/maps/admin/index.js", "export default { api: 1 };\n");
  });
  afterEach("remove it", () => rmSync(root, { recursive: true, force: true }));

  const added = async (environment: string) => {
    const extensions = new PageExtensions();
    await addOwnModules({ root, environment } as App, extensions);
    return extensions;
  };
  const textsOf = (extensions: PageExtensions) =>
    extensions.list().map(({ name, url }) => [name, String(extensions.find(url.split("/").at(-1) ?? ""))] as const);
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => error as { readonly code: string; readonly message: string },
    );

  it("are bundled while it is developed, of the app and of its own plugins, with the page's React left outside", async () => {
    const texts = textsOf(await added("development"));
    expect(texts.map(([name]) => name)).to.deep.equal(["app", "maps"]);
    const [, text] = texts[0] ?? [];
    expect(text).to.include('from "react/jsx-runtime"').and.include('from "@plinth/plugin-admin/extend"');
    expect(text).to.include('"deep"').and.not.include("./shade");
  });

  it("have another address after a change", async () => {
    const [before] = (await added("development")).list();
    write("src/admin/shade.ts", 'export const shade: string = "light";\n');
    const [after] = (await added("development")).list();
    expect(after?.url)
      .to.match(/^\/admin\/extensions\/app-[\w-]{10}\.js$/)
      .and.not.equal(before?.url);
  });

  it("are bundled by a build, and taken from there in production, where the sources may be missing", async () => {
    await buildOwnModules(root, join(root, "dist"));
    const built = readFileSync(join(root, "dist", "admin", "app.js"), "utf8");
    expect(textsOf(await added("production"))[0]).to.deep.equal(["app", built]);
    rmSync(join(root, "src"), { recursive: true });
    expect((await added("production")).list().map(({ name }) => name)).to.deep.equal(["app", "maps"]);
  });

  it("stop a start in production that lacks them, and say to build", async () => {
    const error = await failure(added("production"));
    expect(error?.code).to.equal("PLINTH_ADMIN_EXTENSION_NOT_BUILT");
  });

  it("stop the start or the build where they do not compile, with file and line", async () => {
    write("src/admin/index.tsx", 'import x from "./nowhere.js";\nexport default x +;\n');
    for (const work of [added("development"), buildOwnModules(root, join(root, "dist"))]) {
      const error = await failure(work);
      expect(error?.code).to.equal("PLINTH_ADMIN_EXTENSION_BUILD");
      expect(error?.message).to.include("src/admin/index.tsx:2:");
    }
    expect(existsSync(join(root, "dist", "admin"))).to.equal(false);
  });

  it("say what is missing where the app has no bundler", async () => {
    rmSync(join(root, "node_modules"));
    const error = await failure(added("development"));
    expect(error?.code).to.equal("PLINTH_ADMIN_EXTENSION_BUILD");
    expect(error?.message).to.include("npm install --save-dev tsx");
  });

  it("are checked by the types that the package has, also by a compiler that checks those", async () => {
    write("tsconfig.json", TSCONFIG);
    await typeCheck(root, ["src/admin/index.tsx"]);
    write("src/admin/index.tsx", INDEX.replace("api: 1", "api: 2"));
    const problems = await typeCheck(root, ["src/admin/index.tsx"]).catch((error: Error) => error.message);
    expect(problems).to.include("Type '2' is not assignable to type '1'");
  });
});
