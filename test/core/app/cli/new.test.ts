import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect } from "chai";
import { createProject } from "../../../../core/src/app/cli/scaffold/create-project.js";
import { installPackages } from "../../../../core/src/app/cli/scaffold/install-packages.js";
import { buildManifest, buildTsconfig } from "../../../../core/src/app/cli/scaffold/manifest.js";
import { emptyFolder, PATIENCE, scaffoldedApp } from "./plinth-command.js";

describe("plinth new", function () {
  this.timeout(PATIENCE);
  const app = scaffoldedApp();
  const read = (file: string) => readFileSync(join(app, file), "utf8");

  it("names the app after its folder and links the packages of the checkout", () => {
    const manifest = JSON.parse(read("package.json"));
    expect(manifest.name).to.equal(basename(app));
    expect(manifest.dependencies["@plinth/core"]).to.match(/^file:.*core$/);
    expect(manifest.dependencies["@plinth/plugin-content-api"]).to.match(/^file:.*plugins.content-api$/);
    expect(manifest.scripts).to.include({ develop: "plinth develop", start: "plinth start", build: "plinth build" });
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

  it("writes a tsconfig.json that needs no other project", () => {
    const { references, compilerOptions } = JSON.parse(read("tsconfig.json"));
    expect(references).to.equal(undefined);
    expect(compilerOptions).to.include({ strict: true, outDir: "dist" }).and.not.have.property("composite");
  });

  it("takes packages from the registry where it was installed from there", () => {
    const dependencies = { "@plinth/core": "0.1.0", left: "1.0.0" };
    const devDependencies = { "@plinth/test-kit": "0.1.0" };
    const template = { name: "template", dependencies, devDependencies };
    expect(buildManifest(template, "mine", undefined)).to.deep.equal({ ...template, name: "mine" });
    expect(buildManifest(template, "mine", "/checkout")).to.deep.equal({
      name: "mine",
      dependencies: { "@plinth/core": "file:/checkout/core", left: "1.0.0" },
      devDependencies: { "@plinth/test-kit": "file:/checkout/plugins/test-kit" },
    });
    expect(buildTsconfig({ compilerOptions: { strict: true }, include: ["src"] })).to.deep.equal({
      compilerOptions: { strict: true },
      include: ["src"],
    });
  });

  it("refuses a folder with something in it, and leaves that alone", async () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, "notes.txt"), "mine");
    const failure = await createProject(folder, { shouldInstall: false }).catch((error: unknown) => error);
    expect(failure).to.include({ code: "PLINTH_CLI_FOLDER_NOT_EMPTY" });
    expect(existsSync(join(folder, "package.json"))).to.equal(false);
  });

  it("takes a folder that holds only a git repository", async () => {
    const folder = emptyFolder();
    mkdirSync(join(folder, ".git"));
    await createProject(folder, { shouldInstall: false });
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
