import { expect } from "chai";
import { type AppSetup, createPlinth, isPlinthError } from "@plinth/core";
import { writeHooks } from "#core/documents/hooks.js";

const setupOf = (config: Readonly<Record<string, unknown>>, parts: Partial<AppSetup> = {}): AppSetup => ({
  root: "/",
  plugins: [],
  config: { log: { level: "silent" }, database: { client: "pglite", directory: ":memory:" }, ...config },
  ...parts,
});

function failureOf(config: Readonly<Record<string, unknown>>, parts?: Partial<AppSetup>): string {
  try {
    createPlinth(setupOf(config, parts)).declareModel();
  } catch (error) {
    if (isPlinthError(error)) return `${error.code} ${error.message}`;
    throw error;
  }
  throw new Error("The app was created.");
}

describe("the configuration of an app", () => {
  it("is checked as a whole, and all that is wrong is said at once", () => {
    const message = failureOf({
      server: { port: "abc", prot: 1, proxy: -1, url: "example.org" },
      log: { level: "verbose", format: "xml" },
      api: { rset: {} },
      middlewares: {},
    });
    expect(message).to.match(/^PLINTH_CONFIG_WRONG /);
    for (const part of [
      'server.port must be a whole number from 0 to 65535, and is "abc"',
      'server.prot is not known. Did you mean "port"?',
      "server.proxy must be true, false or the number of proxies, and is -1",
      'server.url must be an address such as https://api.example.org, and is "example.org"',
      'log.level must be one of silent, fatal, error, warn, info, debug, trace, and is "verbose"',
      'log.format must be one of auto, json, pretty, and is "xml"',
      'api.rset is not known. Did you mean "rest"?',
      "middlewares must be a list",
    ])
      expect(message).to.contain(part);
  });

  it("may have files of the app's own, but none whose name is a typing mistake", () => {
    expect(failureOf({ permission: { public: [] } })).to.contain(
      "config/permission is read by nothing. Did you mean config/permissions?",
    );
    createPlinth(setupOf({ shop: { currency: "EUR" }, app: {} })).declareModel();
  });

  it("names what is wrong with the database, and never a password", () => {
    expect(failureOf({ database: { client: "mysql" } })).to.contain(
      'database.client must be "pglite" or "postgres", and is "mysql"',
    );
    const wrong = failureOf({
      database: { client: "postgres", connection: { host: "", pasword: "hunter2" }, pool: { max: 0 } },
    });
    expect(wrong)
      .to.contain("database.connection.host must be")
      .and.contain("database.connection.pasword is not known");
    expect(wrong).to.contain("database.pool.max must be a whole number from 1, and is 0").and.not.contain("hunter2");
    const url = failureOf({ database: { client: "postgres", connection: "hunter2" } });
    expect(url).to.contain("postgres://user:password@host:port/database").and.not.contain("hunter2");
  });

  it("lists the default locale among the locales", () => {
    expect(failureOf({ i18n: { defaultLocale: "de", locales: ["en", "fr"] } })).to.contain(
      'PLINTH_CONFIG_LOCALES The configuration i18n is wrong: i18n.locales does not list the default locale "de"',
    );
    expect(failureOf({ i18n: { default: "de" } })).to.contain("i18n.default is not known");
  });

  it("a handler that is about a content-type that does not exist stops the start", async () => {
    const app: AppSetup["app"] = {
      register({ on }) {
        on(writeHooks.create.before, () => undefined, { about: ["api::artikel.artikel"] });
      },
    };
    const failure = await createPlinth(setupOf({}, { app }))
      .start({ listen: false })
      .catch((error: unknown) => error);
    expect(isPlinthError(failure) && failure.code).to.equal("PLINTH_REGISTRY_UNKNOWN");
    expect((failure as Error).message).to.contain('There is no content-type "api::artikel.artikel"');
  });
});
