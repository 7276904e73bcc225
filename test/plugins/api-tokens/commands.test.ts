import { expect } from "chai";
import { parseEnd } from "#plugins/api-tokens/src/commands/token.js";
import { databaseVariables, serverDatabase } from "../../databases.js";
import { RunningCommand, runPlinth, scaffoldedApp } from "../../core/cli/plinth-command.js";

describe("the commands of API tokens", () => {
  const cwd = scaffoldedApp();
  const env = databaseVariables(serverDatabase());
  const plinth = (...args: string[]) => runPlinth(args, { cwd, env });
  let key = "";

  it("are listed by the help of an app that has the plugin", async () => {
    const { code, stdout } = await plinth("--help");
    expect(code).to.equal(0);
    expect(stdout)
      .to.match(/^ {2}token +create, list, revoke$/m)
      .and.match(/^ {2}admin +create, list/m);
    expect((await plinth("token", "create", "--help")).stdout).to.include("--grant <action...>");
  });

  it("make a token whose key alone is the first line, and list it without the key", async () => {
    const grant = ["--grant", "api::article.article.find", '{"action":"api::author.author.find","fields":["name"]}'];
    const { code, stdout, stderr } = await plinth(
      "token",
      "create",
      "--name",
      "site",
      "--type",
      "custom",
      "--expires",
      "30d",
      ...grant,
    );
    expect(code, stderr).to.equal(0);
    key = stdout.split("\n")[0] ?? "";
    expect(key).to.match(/^[0-9a-f]{64}$/);
    const listed = await plinth("token", "list", "--json");
    expect(listed.stdout).not.to.include(key);
    const [token] = JSON.parse(listed.stdout);
    expect(token).to.deep.include({
      name: "site",
      type: "custom",
      permissions: ["api::article.article.find", { action: "api::author.author.find", fields: ["name"] }],
    });
    expect(Date.parse(token.expiresAt) - Date.now()).to.be.within(29.9 * 86_400_000, 30 * 86_400_000);
  });

  it("say what is wrong: a missing option, a type, a grant, a duration, a name", async () => {
    expect((await plinth("token", "create", "--type", "custom")).stderr).to.include("--name <text>");
    const wrong = await plinth("token", "create", "--name", "x", "--type", "root", "--grant", "{nonsense");
    expect([wrong.code, wrong.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 1 && text.includes("PLINTH_TOKENS_INVALID"),
    );
    expect((await plinth("token", "revoke", "sit")).stderr)
      .to.include("PLINTH_TOKENS_UNKNOWN")
      .and.include('"site"');
    expect((await plinth("token", "lst")).stderr).to.include("Did you mean list?");
    expect((await plinth("tokn", "list")).stderr).to.include("Did you mean token?");
  });

  it("make administrators, with a password that is printed only where it was made up", async () => {
    const given = await plinth("admin", "create", "--email", "ada@example.com", "--password", "correct horse battery");
    expect([given.code, given.stdout]).to.deep.equal([0, "Made the administrator ada@example.com.\n"]);
    const madeUp = await plinth("admin", "password", "ada@example.com");
    expect(madeUp.stdout).to.match(/^\S{24}\nada@example.com has a new password.\n$/);
    expect((await plinth("admin", "remove", "eve@example.com")).stderr).to.include(
      "PLINTH_TOKENS_ADMINISTRATOR_UNKNOWN",
    );
    expect((await plinth("admin", "list")).stdout).to.include("ada@example.com");
  });

  it("wait until an app that runs on the embedded database has stopped, and say so", async () => {
    const onEmbedded = (...args: string[]) => runPlinth(args, { cwd });
    const made = await onEmbedded(
      "token",
      "create",
      "--name",
      "site",
      "--type",
      "custom",
      "--grant",
      "api::article.article.find",
    );
    const key = made.stdout.split("\n")[0];
    const server = new RunningCommand(["start", "--sources"], { cwd });
    const [, url] = await server.waitFor(/REST +(\S+)\n/);
    const ask = (path: string) => fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } });
    expect((await ask("/articles")).status).to.equal(200);
    expect((await ask("/categories")).status).to.equal(403);
    const { code, stdout, stderr } = await onEmbedded("token", "list");
    expect([code, stdout.includes("site")], stderr).to.deep.equal([0, true]);
    expect(stderr).to.include("`plinth start`").and.include("runs this command");
    await server.stop();
    expect((await onEmbedded("token", "revoke", "site")).stdout).to.equal('Revoked "site".\n');
    expect((await onEmbedded("token", "list")).stdout).to.equal("There are no tokens.\n");
  });
});

describe("the end of a token's life", () => {
  const now = Date.parse("2026-01-01T00:00:00.000Z");

  it("is counted from now, or a date", () => {
    expect(parseEnd("12h", now)).to.equal("2026-01-01T12:00:00.000Z");
    expect(parseEnd("30d", now)).to.equal("2026-01-31T00:00:00.000Z");
    expect(parseEnd("2w", now)).to.equal("2026-01-15T00:00:00.000Z");
    expect(parseEnd("2030-01-31", now)).to.equal("2030-01-31T00:00:00.000Z");
  });

  it("is nothing else, and not over", () => {
    for (const text of ["", "30", "d", "-1d", "1y", "tomorrow", "2030-13-45", "0h", "2025-12-31", "2026-01-01"])
      expect(() => parseEnd(text, now), text)
        .to.throw()
        .with.property("code", "PLINTH_TOKENS_INVALID_LIFETIME");
  });
});
