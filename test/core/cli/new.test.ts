import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseEnv, promisify } from "node:util";
import { expect } from "chai";
import { createProject, type ProjectOptions } from "#core/cli/scaffold/create-project.js";
import { installPackages } from "#core/cli/scaffold/run-npm.js";
import { buildManifest, buildTsconfig } from "#core/cli/scaffold/own-files.js";
import { findPackageSource, vendorPackages } from "#core/cli/scaffold/package-source.js";
import { emptyFolder, linkPackages, runPlinth, scaffoldedApp } from "./plinth-command.js";
import { testHost } from "./run-in-process.js";

const TEMPLATE = join(import.meta.dirname, "..", "..", "..", "app-template");

describe("plinth new", () => {
  const app = scaffoldedApp({ isPacked: true });
  /** With the packages that were packed for that app: packing takes seconds. */
  const create = (folder: string, options: ProjectOptions) => {
    const source = { kind: "vendor", folder: join(app, "vendor") } as const;
    return createProject(folder, { source, ...options }, testHost({ cwd: folder }).host);
  };
  const read = (file: string) => readFileSync(join(app, file), "utf8");

  it("names the app after its folder, and packs the packages of the checkout beside it", () => {
    const manifest = JSON.parse(read("package.json"));
    expect(manifest.name).to.equal(basename(app));
    const ours = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).filter(([id]) =>
      id.startsWith("@plinth/"),
    );
    expect(ours.map(([id]) => id)).to.include.members([
      "@plinth/core",
      "@plinth/plugin-content-api",
      "@plinth/test-kit",
    ]);
    for (const [id, version] of ours) {
      expect(version, id).to.match(/^file:vendor\/plinth-[\w.-]+\.tgz$/);
      expect(existsSync(join(app, (version as string).slice("file:".length))), id).to.equal(true);
    }
    expect(read("README.md")).to.include("not published on npm");
    expect(read("Dockerfile")).to.include("COPY vendor ./vendor");
  });

  it("comes with scripts, continuous integration and settings for editors", () => {
    const { scripts, allowScripts } = JSON.parse(read("package.json"));
    expect(scripts).to.include({ develop: "plinth develop", start: "plinth start", build: "plinth build" });
    expect(scripts).to.include.keys("test", "typecheck", "lint", "format", "format:check");
    expect(allowScripts).to.include({ esbuild: true });
    const files = [".biome.json", ".dockerignore", ".editorconfig", ".env.example", ".gitignore", ".git/HEAD"];
    for (const file of [...files, ".github/workflows/ci.yml", "Dockerfile"])
      expect(existsSync(join(app, file)), file).to.equal(true);
  });

  it("is formatted and linted as its own settings ask", async () => {
    const biome = join(app, "node_modules", "@biomejs", "biome", "bin", "biome");
    const files = ["config", "src", "package.json", "tsconfig.json", ".biome.json"];
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [biome, "ci", "--colors=off", "--error-on-warnings", ...files],
      {
        cwd: app,
      },
    );
    expect(stdout).to.include("No fixes applied");
  });

  it("has an example of .env with the same variables and no secret", () => {
    const [real, example] = [".env", ".env.example"].map((file) => parseEnv(read(file)));
    expect(Object.keys(example ?? {})).to.deep.equal(Object.keys(real ?? {}));
    expect(example).to.include({ PLINTH_TOKEN: "", JWT_SECRET: "", API_TOKEN_SALT: "", ADMIN_JWT_SECRET: "" });
  });

  it("makes up a token for writing and every secret, and keeps them out of version control", () => {
    expect(read(".env")).to.match(/^PLINTH_TOKEN=[0-9a-f]{48}$/m);
    const secrets = ["API_TOKEN_SALT", "ADMIN_JWT_SECRET", "JWT_SECRET"].map(
      (name) => new RegExp(`^${name}=([0-9a-f]{64})$`, "m").exec(read(".env"))?.[1],
    );
    expect(new Set(secrets).size).to.equal(3);
    expect(secrets).not.to.include(undefined);
    expect(read(".gitignore").split("\n")).to.include.members([".env", "node_modules/", "dist/", ".plinth/"]);
  });

  it("copies the sources of the template, and nothing that was built or stored there", () => {
    expect(existsSync(join(app, "src/api/article/content-types/article/schema.json"))).to.equal(true);
    expect(read("README.md")).to.match(/^# my-app\n/);
    for (const left of ["dist", ".plinth"]) expect(existsSync(join(app, left)), left).to.equal(false);
  });

  it("does not copy what somebody wrote into the template's folder of a clone", async () => {
    // Not below src: suites that run meanwhile start the template.
    const left = join(TEMPLATE, "leftover.txt");
    writeFileSync(left, "of nobody else");
    try {
      const folder = emptyFolder();
      // Packing the checkout takes the template from there.
      await create(folder, { shouldInstall: false, source: await findPackageSource() });
      expect(existsSync(join(folder, "src/api/article"))).to.equal(true);
      expect(existsSync(join(folder, "leftover.txt"))).to.equal(false);
    } finally {
      rmSync(left);
    }
  });

  it("leaves out the sample content with --empty, and starts without it", async () => {
    const folder = emptyFolder();
    await create(folder, { shouldInstall: false, isEmpty: true });
    for (const file of ["sample", "src/api", "src/components", "src/sample-content.ts"])
      expect(existsSync(join(folder, file)), file).to.equal(false);
    expect(readFileSync(join(folder, "README.md"), "utf8")).not.to.match(/sample|articles|<!--/);
    linkPackages(folder);
    const { code, stderr } = await runPlinth(["routes"], { cwd: folder });
    expect(code, stderr).to.equal(0);
  });

  it("writes a tsconfig.json that needs no other project", () => {
    const { references, compilerOptions } = JSON.parse(read("tsconfig.json"));
    expect(references).to.equal(undefined);
    expect(compilerOptions).to.include({ strict: true, outDir: "dist" }).and.not.have.property("composite");
    expect(buildTsconfig({ compilerOptions: { strict: true }, include: ["src"] })).to.deep.equal({
      compilerOptions: { strict: true },
      include: ["src"],
    });
  });

  it("takes packages from the registry where it was installed from there", async () => {
    const folder = emptyFolder();
    const core = join(folder, "node_modules", "@plinth", "core");
    expect(await findPackageSource(core)).to.deep.equal({ kind: "registry" });
    writeFileSync(join(folder, "package.json"), JSON.stringify({ dependencies: { "@plinth/core": "0.1.0" } }));
    expect(await findPackageSource(core)).to.deep.equal({ kind: "registry" });
    expect(await vendorPackages({ kind: "registry" }, folder)).to.deep.equal([]);
    const template = { name: "template", dependencies: { "@plinth/core": "0.1.0" }, devDependencies: {} };
    expect(buildManifest(template, "mine", [])).to.deep.equal({ ...template, name: "mine" });
  });

  it("copies the tarballs of the app that it is installed in, where those are what it came from", async () => {
    const [from, to] = [emptyFolder(), emptyFolder()];
    const dependencies = { "@plinth/core": "file:vendor/plinth-core-0.1.0.tgz" };
    writeFileSync(join(from, "package.json"), JSON.stringify({ dependencies }));
    mkdirSync(join(from, "vendor"));
    writeFileSync(join(from, "vendor", "plinth-core-0.1.0.tgz"), "packed");
    const source = await findPackageSource(join(from, "node_modules", "@plinth", "core"));
    expect(await vendorPackages(source, to)).to.deep.equal(["plinth-core-0.1.0.tgz"]);
    expect(readFileSync(join(to, "vendor", "plinth-core-0.1.0.tgz"), "utf8")).to.equal("packed");
  });

  it("names the tarballs of its own packages only", () => {
    const dependencies = { "@plinth/core": "0.1.0", left: "1.0.0" };
    const devDependencies = { "@plinth/test-kit": "0.1.0" };
    const tarballs = ["plinth-core-0.1.0.tgz", "plinth-test-kit-0.1.0.tgz"];
    expect(buildManifest({ name: "template", dependencies, devDependencies }, "mine", tarballs)).to.deep.equal({
      name: "mine",
      dependencies: { "@plinth/core": "file:vendor/plinth-core-0.1.0.tgz", left: "1.0.0" },
      devDependencies: { "@plinth/test-kit": "file:vendor/plinth-test-kit-0.1.0.tgz" },
    });
  });

  it("makes nothing when the checkout cannot be packed", async () => {
    const [checkout, folder] = [emptyFolder(), join(emptyFolder(), "app")];
    const failure = await vendorPackages({ kind: "checkout", folder: checkout }, folder).catch(
      (error: unknown) => error,
    );
    expect(failure).to.include({ code: "PLINTH_CLI_PACK_FAILED" });
    expect(existsSync(folder)).to.equal(false);
  });

  it("refuses a folder with something in it, and leaves that alone", async () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, "notes.txt"), "mine");
    const failure = await create(folder, { shouldInstall: false }).catch((error: unknown) => error);
    expect(failure).to.include({ code: "PLINTH_CLI_FOLDER_NOT_EMPTY" });
    expect(existsSync(join(folder, "package.json"))).to.equal(false);
  });

  it("takes a folder that holds only a git repository", async () => {
    const folder = emptyFolder();
    mkdirSync(join(folder, ".git"));
    await create(folder, { shouldInstall: false });
    expect(existsSync(join(folder, "package.json"))).to.equal(true);
  });

  it("says that the files are there when npm fails", async () => {
    const folder = emptyFolder();
    const npm = process.env["npm_execpath"];
    writeFileSync(join(folder, "npm.js"), "process.exitCode = 3;");
    process.env["npm_execpath"] = join(folder, "npm.js");
    try {
      const failure = await installPackages(folder).catch((error: unknown) => error);
      expect(failure).to.include({ code: "PLINTH_CLI_INSTALL_FAILED" });
      expect(failure).to.have.nested.property("details.exitCode", 3);
    } finally {
      if (npm === undefined) delete process.env["npm_execpath"];
      else process.env["npm_execpath"] = npm;
    }
  });
});
