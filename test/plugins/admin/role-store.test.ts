import { expect } from "chai";
import { covers, findExcess } from "#plugins/admin/src/access/covers.js";
import { eitherDatabase } from "../../databases.js";
import { type Answered, serveAdmin, startAdminApp } from "./serve-admin.js";
import { administratorOf, signIn } from "./sign-in.js";

type Sent = Readonly<Record<string, string>>;
const PAGE: Sent = { "sec-fetch-site": "same-origin" };
const ROLE = "plugin::admin.role";
const FIND = "api::article.article.find";
const saysOf = ({ status, body }: Answered) => [status, body?.error?.code];

describe("what one grant has of another", () => {
  const actions = ["find", "update", "delete"].map((name) => `api::article.article.${name}`);
  const own = { createdBy: { id: "{{user.id}}" } };
  const rule = (more: object) => [{ action: "api::article.article.update", ...more }];

  it("is all of it for what allows as much, by patterns, rows and fields", () => {
    expect(covers("all", "all", actions)).to.equal(true);
    expect(covers(["*"], "all", actions)).to.equal(true);
    expect(covers(["api::*.find", "api::article.*"], [FIND, "api::article.article.*"], actions)).to.equal(true);
    expect(covers(["api::*.update"], rule({ where: own, fields: ["title"] }), actions)).to.equal(true);
    expect(covers(rule({ where: own }), rule({ where: own, fields: ["title"] }), actions)).to.equal(true);
    expect(covers(rule({ fields: ["title", "body"] }), rule({ fields: ["title"] }), actions)).to.equal(true);
    expect(covers([], "none", actions)).to.equal(true);
    expect(covers(["*.find", "*.findOne"], "read", actions)).to.equal(true);
  });

  it("is not for what allows more, now or once there are more types", () => {
    expect(covers(["api::*"], "all", actions)).to.equal(false);
    // All that there is today, and not what matches tomorrow.
    expect(covers(actions, ["api::article.*"], actions)).to.equal(false);
    expect(covers(["api::*.find"], ["api::*"], actions)).to.equal(false);
    expect(covers(rule({ where: own }), ["api::article.article.update"], actions)).to.equal(false);
    expect(covers(rule({ fields: ["title"] }), rule({ fields: ["title", "body"] }), actions)).to.equal(false);
    expect(covers(rule({ fields: ["title"] }), rule({}), actions)).to.equal(false);
    expect(covers(rule({ where: own }), rule({ where: { title: "x" } }), actions)).to.equal(false);
    expect(covers(rule({ set: { title: "x" } }), rule({}), actions)).to.equal(false);
    expect(covers(rule({ fields: ["title"] }), rule({ fields: ["title"], set: { body: "x" } }), actions)).to.equal(
      false,
    );
    // A value that only looks like what a template stands for.
    expect(covers(rule({ where: own }), rule({ where: { createdBy: { id: 1 } } }), actions)).to.equal(false);
    expect(covers(["api::*.update", ...rule({ where: own })], ["api::article.article.update"], actions)).to.equal(
      false,
    );
  });

  it("is not for what leaves a rule out, and grants what falls back from it", () => {
    const [note, file] = ["api::note.note", "plugin::upload.file"];
    const limited = (action: string) => ({ action, where: own });
    const [change, remove, drafts, files] = [`${note}.update`, `${file}.delete`, `${note}.findDrafts`, `${file}.find`];
    const more: readonly (readonly [string, string])[] = [
      ...["publish", "unpublish", "discardDraft"].map((action) => [change, `${note}.${action}`] as const),
      [remove, "plugin::upload.content-api.destroy"],
      [`${file}.create`, "plugin::upload.content-api.upload"],
      ...["findOne", "findUses"].map((action) => [`${file}.findOne`, `plugin::upload.content-api.${action}`] as const),
      ...["find", "findPage"].map((action) => [files, `plugin::upload.content-api.${action}`] as const),
      [files, `${note}.find`],
    ];
    for (const [ruled, fallback] of more) {
      const name = `${ruled} ${fallback}`;
      expect(covers([limited(ruled), fallback], [fallback], actions), name).to.equal(false);
      const pattern = `${fallback.slice(0, -3)}*`;
      expect(covers([limited(ruled), pattern], [pattern], actions), pattern).to.equal(false);
      expect(covers([limited(ruled), fallback], [limited(ruled), fallback], actions), name).to.equal(true);
      expect(covers([limited(ruled), fallback], [limited(ruled)], actions), name).to.equal(true);
      expect(covers([ruled, fallback], [fallback], actions), name).to.equal(true);
    }
    const parts = [{ action: `${file}.create`, fields: ["name"] }, "plugin::upload.content-api.upload"];
    expect(covers(parts, ["plugin::upload.content-api.upload"], actions), "fields").to.equal(false);
    const reads = [limited(drafts), `${note}.find`];
    expect(covers(reads, [`${note}.find`], actions), "only what is published").to.equal(true);
    expect(covers(reads, [`${note}.find`], actions, true), "drafts are open").to.equal(false);
  });

  it("is less by an action, or by a rule that is left out", () => {
    const limited = { action: "api::note.note.update", where: own };
    const publish = "api::note.note.publish";
    expect(findExcess([publish], [publish, FIND], actions)).to.deep.equal({ action: FIND, isRuleLeftOut: false });
    const rule = { action: limited.action, isRuleLeftOut: true };
    expect(findExcess([limited, publish], [publish], actions)).to.deep.equal(rule);
    expect(findExcess([publish], [publish], actions)).to.equal(undefined);
  });

  it("is all of it where what falls back reaches no more rows than the rule that is left out", () => {
    const publish = "api::note.note.publish";
    const limited = { action: "api::note.note.update", where: own };
    expect(covers([limited, publish], [{ action: publish, where: own }], actions)).to.equal(true);
    const titles = { action: "api::note.note.update", fields: ["title"] };
    expect(covers([titles, publish], [publish], actions), "publishing knows no fields").to.equal(true);
    const author = ["delete", "update"].map((name) => ({ action: `plugin::upload.file.${name}`, where: own }));
    const upload = "plugin::upload.content-api.upload";
    expect(covers([...author, upload], [upload], actions), "adding files changes and deletes none").to.equal(true);
  });
});

eitherDatabase("postgres", (database) => {
  describe("roles in the database", () => {
    const roles = {
      editor: ["api::note.*"],
      chief: ["api::*.*", "plugin::upload.*", "plugin::schedule.*", "plugin::admin.roles", "plugin::admin.accounts"],
      deputy: [
        { action: "api::article.article.update", where: { createdBy: { id: "{{user.id}}" } } },
        ...["api::article.article.publish", "plugin::admin.roles"],
      ],
    };
    const served = serveAdmin(database, { pluginConfigs: { "api-tokens": { loginLimit: 1000 }, admin: { roles } } });
    const ask = (method: string, path: string, headers: Sent = PAGE, body?: unknown) =>
      served().ask(method, `/admin/api${path}`, headers, body);
    const as = (role: string) => signIn(served().plinth.app, role);
    const make = async (values: object, role = "super") => ask("POST", "/roles", await as(role), values);
    const roleOf = async (name: string) =>
      (await ask("GET", "/roles", await as("super"))).body.data.find((role: { name: string }) => role.name === name);

    it("are listed with those of code, where each grant comes from, and what they can be about", async () => {
      await administratorOf(served().plinth.app, "author");
      const { data, types, actions } = (await ask("GET", "/roles", await as("super"))).body;
      expect(
        data.map(({ name, origin }: { name: string; origin: string }) => [name, origin]).slice(0, 4),
      ).to.deep.equal([
        ["super", "given"],
        ["editor", "configured"],
        ["author", "given"],
        ["chief", "configured"],
      ]);
      expect(data[0]).to.deep.include({ id: null, byCode: ["*"], grant: [], version: null });
      expect(data[1].byCode).to.deep.equal(["api::note.*"]);
      expect(data[2].accounts).to.equal(1);
      const [article] = types;
      expect(article).to.deep.include({ uid: "api::article.article", label: "Article", isLocalized: false });
      expect(article.actions).to.deep.equal([
        "find",
        "findOne",
        "create",
        "update",
        "delete",
        "findDrafts",
        "publish",
        "unpublish",
        "discardDraft",
      ]);
      expect(article.withFields).to.deep.equal(["find", "findOne", "create", "update"]);
      expect(article.fields.map(({ name }: { name: string }) => name)).to.deep.equal(["title", "body"]);
      expect(actions.find(({ name }: { name: string }) => name === "plugin::admin.roles")).to.deep.include({
        text: "change what roles may do",
        mayGive: true,
      });
    });

    it("are made, changed with If-Match, and deleted; a change holds at once, in sessions that are open and in every process", async () => {
      const { app } = served().plinth;
      const made = await make({ name: "translator", description: "Into French", grant: [FIND] });
      expect([made.status, made.body.data.grant]).to.deep.equal([201, [FIND]]);
      const { id, version } = made.body.data;
      const theirs = await signIn(app, "translator");
      const other =
        database.kind === "postgres"
          ? await startAdminApp(database, { pluginConfigs: { admin: { roles } } })
          : undefined;
      const mayOf = async (server = served()) => (await server.ask("GET", "/admin/api/boot", theirs)).body.may;
      expect(await mayOf()).to.deep.equal({ "api::article.article": ["find"] });
      if (other) expect(await mayOf(other)).to.deep.equal({ "api::article.article": ["find"] });
      const headers = await as("super");
      const grant = [{ action: FIND, where: { title: { $containsi: "x" } }, fields: ["title"] }, "api::note.note.find"];
      expect(saysOf(await ask("PUT", `/roles/${id}`, headers, { grant }))).to.deep.equal([
        428,
        "PLINTH_ADMIN_PRECONDITION_MISSING",
      ]);
      const changed = await ask("PUT", `/roles/${id}`, { ...headers, "if-match": version }, { grant });
      expect(changed.body.data.grant).to.deep.equal(grant);
      const stale = await ask("PUT", `/roles/${id}`, { ...headers, "if-match": version }, { grant: [] });
      expect(saysOf(stale)).to.deep.equal([412, "PLINTH_ADMIN_ROLE_CHANGED"]);
      expect(Object.keys(await mayOf())).to.deep.equal(["api::article.article", "api::note.note"]);
      if (other) {
        for (let tries = 0; tries < 100 && Object.keys(await mayOf(other)).length < 2; tries += 1)
          await new Promise((resolve) => setTimeout(resolve, 20));
        expect(Object.keys(await mayOf(other))).to.have.length(2);
        await other.plinth.stop();
      }
      const inUse = await ask("DELETE", `/roles/${id}`, headers);
      expect(saysOf(inUse)).to.deep.equal([409, "PLINTH_ADMIN_ROLE_IN_USE"]);
      expect(inUse.body.error.details).to.deep.equal({ role: "translator", accounts: 1, invitations: 0 });
      const { documentId } = await administratorOf(app, "translator");
      await ask("DELETE", `/accounts/${documentId}`, headers);
      await ask("POST", "/invitations", headers, { email: "french@example.com", role: "translator" });
      expect((await ask("DELETE", `/roles/${id}`, headers)).body.error.details).to.include({
        accounts: 0,
        invitations: 1,
      });
      const [invitation] = (await ask("GET", "/invitations", headers)).body.data;
      await ask("DELETE", `/invitations/${invitation.id}`, headers);
      expect((await ask("DELETE", `/roles/${id}`, headers)).status).to.equal(204);
      expect((await ask("DELETE", `/roles/${id}`, headers)).status).to.equal(404);
    });

    it("get another name, which their accounts and invitations follow without a new session", async () => {
      const { app } = served().plinth;
      const { id, version } = (await make({ name: "before", grant: [FIND] })).body.data;
      const theirs = await signIn(app, "before");
      const headers = { ...(await as("super")), "if-match": version };
      await ask("POST", "/invitations", headers, { email: "renamed@example.com", role: "before" });
      const view = { account: "x", contentType: "api::note.note", name: "Mine", state: {}, isShared: true };
      const { documentId } = await app
        .documents("plugin::admin.view")
        .create({ data: { ...view, roles: ["editor", "before"] } });
      for (const name of ["editor", "super"])
        expect([400, 409], name).to.include((await ask("PUT", `/roles/${id}`, headers, { name })).status);
      expect(saysOf(await ask("PUT", `/roles/${id}`, headers, { name: "author" }))).to.deep.equal([
        409,
        "PLINTH_ADMIN_ROLE_OF_CODE",
      ]);
      const renamed = await ask("PUT", `/roles/${id}`, headers, { name: "after" });
      expect(renamed.body.data).to.include({ name: "after", accounts: 1, invitations: 1 });
      expect((await ask("GET", "/boot", theirs)).body.user.role).to.equal("after");
      const seen = await app.documents("plugin::admin.view").findOne({ documentId });
      expect(seen?.["roles"], "lists that are shared with it").to.deep.equal(["editor", "after"]);
      const taken = await make({ name: "after", grant: [] });
      expect(taken.body.error.code).to.equal("PLINTH_DOCUMENT_NOT_UNIQUE");
      const added = await make({ name: "editor", grant: [FIND] });
      const rename = await ask(
        "PUT",
        `/roles/${added.body.data.id}`,
        { ...headers, "if-match": "*" },
        { name: "chef" },
      );
      expect(saysOf(rename)).to.deep.equal([409, "PLINTH_ADMIN_ROLE_OF_CODE"]);
      await administratorOf(app, "editor");
      expect((await ask("DELETE", `/roles/${added.body.data.id}`, headers)).status, "code has it still").to.equal(204);
    });

    it("are refused where they name what does not exist, or would take from what code grants", async () => {
      const wrong: readonly (readonly [object, string])[] = [
        [{ name: "x", grant: ["api::article.article.fnd"] }, "grant[0]"],
        [{ name: "x", grant: [{ action: FIND, fields: ["titel"] }] }, "grant[0].fields"],
        [{ name: "x", grant: [{ action: FIND, where: { titel: "x" } }] }, "grant[0].where"],
        [{ name: "x", grant: [{ action: FIND, wher: {} }] }, "grant[0].wher"],
        [{ name: "x", grant: [FIND, { action: FIND }] }, "grant"],
        [{ name: "editor", grant: [{ action: "api::note.note.find", where: { text: "x" } }] }, "grant[0]"],
        [{ name: "super", grant: [] }, "name"],
        [{ name: " x", grant: [] }, "name"],
        [{ name: "", grant: [] }, "name"],
        [{ name: "x", grant: "all" }, "grant"],
        [{ name: "x", grant: [], isSuper: true }, "isSuper"],
      ];
      for (const [values, path] of wrong) {
        const { status, body } = await make(values);
        expect([status, body.error.code], JSON.stringify(values)).to.deep.equal([400, "PLINTH_ADMIN_INVALID"]);
        expect(body.error.details.errors[0].path, JSON.stringify(values)).to.equal(path);
      }
    });

    it("never allow more than the role of who makes or changes them, and are nothing for API tokens", async () => {
      const { app } = served().plinth;
      const tokens = (await make({ name: "tokens", grant: ["plugin::admin.tokens"] })).body.data;
      const notes = (await make({ name: "notes", grant: ["api::note.note.find"] })).body.data;
      const headers = { ...(await as("chief")), "if-match": "*" };
      const before = JSON.stringify(await app.documents(ROLE).findMany({ sort: "id" }));
      const refused: readonly (readonly [string, string, unknown?])[] = [
        ["POST", "/roles", { name: "mine", grant: ["*"] }],
        ["POST", "/roles", { name: "mine", grant: ["plugin::admin.tokens"] }],
        ["POST", "/roles", { name: "mine", grant: ["plugin::*"] }],
        ["POST", "/roles", { name: "chief", grant: ["plugin::admin.builder"] }],
        ["PUT", `/roles/${notes.id}`, { grant: ["api::note.note.find", "plugin::admin.locales"] }],
        ["PUT", `/roles/${tokens.id}`, { grant: [] }],
        ["PUT", `/roles/${tokens.id}`, { name: "renamed" }],
        ["DELETE", `/roles/${tokens.id}`],
      ];
      for (const [method, path, body] of refused)
        expect(saysOf(await ask(method, path, headers, body)), `${method} ${path}`).to.deep.equal([
          403,
          "PLINTH_ADMIN_GRANTS_MORE",
        ]);
      expect(JSON.stringify(await app.documents(ROLE).findMany({ sort: "id" }))).to.equal(before);
      const { accessKey } = await app.plugin("api-tokens").service("tokens").create({ name: "machine", type: "admin" });
      for (const [method, path, body] of [...refused, ["GET", "/roles"] as const])
        expect(
          (await ask(method, path, { authorization: `Bearer ${accessKey}` }, body)).status,
          `${method} ${path}`,
        ).to.equal(403);
      const { data } = (await ask("GET", "/roles", headers)).body;
      const mayChange = (name: string) => data.find((role: { name: string }) => role.name === name).mayChange;
      expect(["super", "tokens", "notes", "author", "chief"].map(mayChange)).to.deep.equal([
        false,
        false,
        true,
        true,
        true,
      ]);
      expect((await ask("PUT", `/roles/${notes.id}`, headers, { grant: [FIND] })).status).to.equal(200);
    });

    it("keep the rules of who changes them also where other actions fall back from those", async () => {
      const publish = "api::article.article.publish";
      const rule = { action: "api::article.article.update", where: { createdBy: { id: "{{user.id}}" } } };
      const { id } = (await make({ name: "ruled", grant: [rule, publish] })).body.data;
      const headers = { ...(await as("deputy")), "if-match": "*" };
      expect(saysOf(await ask("PUT", `/roles/${id}`, headers, { grant: [publish] }))).to.deep.equal([
        403,
        "PLINTH_ADMIN_GRANTS_MORE",
      ]);
      expect((await roleOf("ruled")).grant).to.deep.equal([rule, publish]);
      expect((await ask("PUT", `/roles/${id}`, headers, { grant: [rule] })).status).to.equal(200);
    });

    it("keep what no matrix shows: rules with values, and patterns", async () => {
      const grant = [
        "api::*.find",
        { action: "api::article.article.create", set: { title: "By the server" } },
        {
          action: "api::article.article.update",
          where: { $or: [{ title: { $null: true } }, { createdBy: { id: "{{user.id}}" } }] },
        },
      ];
      const made = await make({ name: "complex", grant });
      expect(made.body.data.grant).to.deep.equal(grant);
      const headers = { ...(await as("super")), "if-match": made.body.data.version };
      const renamed = await ask("PUT", `/roles/${made.body.data.id}`, headers, { description: "Only this" });
      expect(renamed.body.data.grant).to.deep.equal(grant);
      expect((await roleOf("complex")).description).to.equal("Only this");
    });
  });
});
