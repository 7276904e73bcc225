import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "chai";
import { pluralOf, writeNewFiles } from "#core/cli/generate/new-file.js";
import { assertOwner } from "#core/cli/generate/part-owner.js";
import { parseAttributes } from "#core/cli/generate/schema-files.js";
import { componentFiles, contentTypeFiles } from "#core/cli/generate/schema-files.js";
import { databaseVariables, serverDatabase } from "../../databases.js";
import { emptyFolder, RunningCommand, runPlinth, runProcess, scaffoldedApp } from "./plinth-command.js";
import { coreVersion } from "#core/cli/core-package.js";

const MOCHA = fileURLToPath(new URL("bin/mocha.js", import.meta.resolve("mocha/package.json")));

/** `npm test` in a folder. */
const runTests = (cwd: string) =>
  promisify(execFile)(process.execPath, [MOCHA, "-n", "liftoff-only", "-n", "wasm-lazy-compilation"], {
    cwd,
    env: { ...process.env, NODE_OPTIONS: "" },
  });

const codeOf = (action: () => unknown): unknown => {
  try {
    action();
    return undefined;
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
};

describe("plinth generate", () => {
  describe("in a new app", () => {
    const database = serverDatabase();
    const cwd = scaffoldedApp();
    const commands = [
      "content-type event --attributes title:string,startsAt:datetime",
      "content-type imprint --kind singleType --drafts",
      "component shared.address --attributes street,city:string",
      "api weather",
      "controller event --api event",
      "service event --api event",
      "controller greeter",
      "service tally",
      "service notes --api event",
      "policy is-member",
      "policy is-host --api event",
      "middleware timing",
      "migration fill-slugs",
      "plugin hello",
      "plugin greeter --admin",
      "policy is-polite --plugin hello",
      "service tally --plugin hello",
    ];

    const printed = new Map<string, string>();

    before("generate one of each kind", async () => {
      for (const command of commands) {
        const { code, stdout, stderr } = await runPlinth(["generate", ...command.split(" ")], { cwd });
        expect(code, `${command}: ${stderr}`).to.equal(0);
        printed.set(command, stdout);
      }
    });

    it("writes code that compiles under strict TypeScript, once the compiler knows the new types", async () => {
      // In processes of their own: errors are declared once in a process, and this app has them in its sources and its build.
      const types = await runProcess(["types"], { cwd });
      expect(types.code, types.stderr).to.equal(0);
      const { code, stdout, stderr } = await runProcess(["build"], { cwd });
      expect(code, stdout + stderr).to.equal(0);
    });

    it("writes content-types, apis and plugins that are served at once", async () => {
      const server = new RunningCommand(["start", "--sources"], { cwd, env: databaseVariables(database) });
      try {
        const [, rest] = await server.waitFor(/REST +(\S+)/);
        const get = async (path: string) => (await fetch(`${rest}${path}`)).json() as Promise<{ data: unknown }>;
        expect((await get("/events")).data).to.deep.equal([]);
        expect((await get("/weather")).data)
          .to.have.property("contentTypes")
          .that.is.at.least(6);
        expect((await get("/hello/greetings/Ada")).data).to.deep.equal({ text: "Hello, Ada!" });
        expect((await fetch(`${rest}/imprint`)).status).to.equal(404);
      } finally {
        await server.stop();
      }
    });

    it("writes a plugin with tests, and they pass", async () => {
      const { stdout } = await runTests(join(cwd, "src/plugins/hello"));
      expect(stdout).to.include("4 passing");
    });

    it("writes a plugin with a screen of the admin page, whose tests pass and whose package is built", async () => {
      const folder = join(cwd, "src/plugins/greeter");
      expect((await runTests(folder)).stdout).to.include("5 passing");
      await promisify(execFile)("npm", ["run", "build"], { cwd: folder });
      const module = readFileSync(join(folder, "dist/admin.js"), "utf8");
      expect(module).to.include('from "@plinth/plugin-admin/extend"').and.include("greeter.title");
    });

    it("writes a plugin that is a package of its own", () => {
      const manifest = JSON.parse(readFileSync(join(cwd, "src/plugins/hello/package.json"), "utf8"));
      expect(manifest).to.include({ name: "plinth-plugin-hello", type: "module" });
      expect(manifest.peerDependencies).to.deep.equal({ "@plinth/core": `^${coreVersion()}` });
    });

    it("says how to name a part in a plugin that names all its parts itself", () => {
      const said = printed.get("policy is-polite --plugin hello");
      expect(said).to.include("wrote src/plugins/hello/src/policies/is-polite.ts");
      expect(said).to.include('policies: { "is-polite": isPolite }');
      expect(printed.get("service tally --plugin hello")).to.include(
        'services: [implement(serviceRef<Tally>("plugin::hello.tally"), { create: (_deps, context) => tally(context) })]',
      );
      expect(printed.get("controller greeter")).to.equal("wrote src/controllers/greeter.ts\n");
    });

    it("never writes over a file", async () => {
      const file = join(cwd, "src/policies/is-member.ts");
      writeFileSync(file, "mine");
      const { code, stderr } = await runPlinth(["generate", "policy", "is-member"], { cwd });
      expect(stderr).to.include("PLINTH_CLI_FILE_EXISTS").and.include("src/policies/is-member.ts");
      expect(code).to.equal(1);
      expect(readFileSync(file, "utf8")).to.equal("mine");
    });
  });

  it("says which api was meant", async () => {
    const root = emptyFolder();
    mkdirSync(join(root, "src/api/article"), { recursive: true });
    await assertOwner(root, { api: "article" });
    await assertOwner(root, {});
    const failure = await assertOwner(root, { api: "artcle" }).catch((error: unknown) => error);
    expect(failure).to.include({ code: "PLINTH_CLI_OWNER_UNKNOWN" });
    expect((failure as Error).message).to.include('Did you mean "article"?');
  });

  it("writes all files or none", async () => {
    const root = emptyFolder();
    await writeNewFiles(root, [{ path: "b.ts", text: "first" }]);
    const again = [
      { path: "a.ts", text: "second" },
      { path: "b.ts", text: "second" },
    ];
    const failure = await writeNewFiles(root, again).catch((error: unknown) => error);
    expect(failure).to.include({ code: "PLINTH_CLI_FILE_EXISTS" });
    expect(() => readFileSync(join(root, "a.ts"))).to.throw("ENOENT");
  });

  it("suggests a plural, and takes the one that is given", () => {
    const plurals = ["article", "category", "day", "box", "class", "dish"].map(pluralOf);
    expect(plurals).to.deep.equal(["articles", "categories", "days", "boxes", "classes", "dishes"]);
    const [file] = contentTypeFiles("person", { plural: "people", drafts: true });
    expect(JSON.parse(file?.text ?? "")).to.deep.include({
      collectionName: "people",
      info: { singularName: "person", pluralName: "people", displayName: "Person" },
      options: { draftAndPublish: true },
    });
  });

  it("refuses names that are not kebab-case, and suggests one", () => {
    for (const name of ["Event", "my event", "événement", "1st", "a--b", "../x"]) {
      expect(
        codeOf(() => contentTypeFiles(name, {})),
        name,
      ).to.equal("PLINTH_CLI_INVALID_NAME");
    }
    expect(() => contentTypeFiles("BlogPost", {})).to.throw('such as "blog-post"');
    expect(() => componentFiles("address", {})).to.throw('such as "shared.address"');
  });

  it("reads attributes, and says what is wrong with one", () => {
    expect(parseAttributes("title, views:integer")).to.deep.equal({
      title: { type: "string" },
      views: { type: "integer" },
    });
    expect(parseAttributes(undefined)).to.deep.equal({ title: { type: "string" } });
    for (const wrong of ["a:strin", "a:relation", "a:id", "a:string,a:text", ":string", "a-b"]) {
      expect(
        codeOf(() => parseAttributes(wrong)),
        wrong,
      ).to.equal("PLINTH_CLI_INVALID_ATTRIBUTE");
    }
    expect(() => parseAttributes("title:strin")).to.throw('Did you mean "string"?');
  });
});
