import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { createSecrets } from "#core/app/secrets.js";
import { writeProject } from "../../projects.js";

const NAME = { name: "some.salt", configured: [], variable: "SOME_SALT" };

describe("the secrets of an app", () => {
  it("are those of the configuration, where it has any", () => {
    const secrets = createSecrets({ root: writeProject({}), plugins: [], environment: "production" });
    const configured = ["the newest", "an older one"];
    expect(secrets.obtain({ ...NAME, configured })).to.deep.equal(configured);
  });

  it("are demanded in production, by the name of the variable", () => {
    const secrets = createSecrets({ root: writeProject({}), plugins: [], environment: "production" });
    expect(() => secrets.obtain(NAME))
      .to.throw("SOME_SALT")
      .with.property("code", "PLINTH_SECRET_MISSING");
  });

  it("are made up in development, one for each name, and the same at the next start", () => {
    const root = writeProject({});
    const first = createSecrets({ root, plugins: [] });
    const [salt] = first.obtain(NAME);
    const [other] = first.obtain({ ...NAME, name: "other.salt" });
    expect(salt)
      .to.match(/^[0-9a-f]{64}$/)
      .and.not.equal(other);
    const second = createSecrets({ root, plugins: [] });
    expect([second.obtain(NAME), second.obtain({ ...NAME, name: "other.salt" })]).to.deep.equal([[salt], [other]]);
    const file = join(root, ".plinth", "secrets.json");
    expect(JSON.parse(readFileSync(file, "utf8"))).to.deep.equal({ "some.salt": salt, "other.salt": other });
    if (process.platform !== "win32") expect(statSync(file).mode & 0o077).to.equal(0);
  });

  it("live as long as the app where the database does, and leave no file", () => {
    const root = writeProject({});
    const config = { database: { client: "pglite", directory: ":memory:" } };
    const secrets = createSecrets({ root, plugins: [], config });
    expect(secrets.obtain(NAME)).to.deep.equal(secrets.obtain(NAME));
    expect(() => statSync(join(root, ".plinth"))).to.throw();
  });
});
