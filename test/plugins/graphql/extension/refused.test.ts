import { type AppDefinition, createPlinth, isPlinthError, type PlinthError } from "@plinth/core";
import { type GraphqlExtension, graphqlExtension, graphqlPlugin, type SchemaExtension } from "@plinth/plugin-graphql";
import { expect } from "chai";
import { pino } from "pino";
import { eitherDatabase, type TestDatabase } from "../../../databases.js";

/** Starts an app of notes whose schema is changed as said, and stops it; what stopped the start, if something did. */
async function start(
  database: TestDatabase,
  change: (graphql: GraphqlExtension) => void,
  app: AppDefinition = {},
  graphql: object = {},
): Promise<PlinthError | undefined> {
  const plinth = createPlinth({
    root: import.meta.dirname,
    plugins: [graphqlPlugin],
    pluginConfigs: { graphql },
    log: pino({ level: "silent" }),
    config: { server: { port: 0 }, database: database.config() },
    app: {
      ...app,
      contentTypes: {
        "api::note.note": {
          kind: "collectionType",
          info: { singularName: "note", pluralName: "notes", displayName: "Note" },
          attributes: { text: { type: "text" } },
        },
        "api::site.site": {
          kind: "singleType",
          info: { singularName: "site", pluralName: "sites", displayName: "Site" },
          attributes: { name: { type: "string" } },
        },
      },
      register: ({ extension }) => change(extension(graphqlExtension)),
    },
  });
  try {
    await plinth.start({ listen: false });
  } catch (error) {
    return causeOf(error);
  } finally {
    await plinth.stop();
  }
  return undefined;
}

/** What the kernel reports is the phase; what it was is its cause. */
function causeOf(error: unknown): PlinthError {
  if (!isPlinthError(error)) throw error;
  return isPlinthError(error.cause) ? causeOf(error.cause) : error;
}

const problemsOf = (error: PlinthError | undefined): readonly string[] =>
  (error?.details as { readonly problems: readonly string[] } | undefined)?.problems ?? [];

eitherDatabase(import.meta.url, (database) => {
  describe("an extension that cannot be used", () => {
    it("stops the start with every name that does not exist, and the known ones", async () => {
      const error = await start(database, (graphql) => {
        graphql.shadowCRUD("api::nota.nota").disable();
        graphql.shadowCRUD("api::note.note").field("txt").disable();
        graphql.shadowCRUD("api::site.site").disableAction("findOne");
        graphql.use({
          resolvers: { Query: { hello: () => "Hello" } },
          resolversConfig: {
            "Query.nots": { auth: false },
            "Not.text": { auth: false },
            "Query.notes": {
              policies: ["is-owner"],
              middlewares: ["global::log"],
            },
            "Note.text": { needs: ["words"] },
          },
        });
      });
      expect(error?.code).to.equal("PLINTH_GRAPHQL_EXTENSIONS_INVALID");
      const problems = problemsOf(error);
      expect(problems.map((problem) => problem.replace(/Known: .*/, "Known: ..."))).to.have.members([
        'shadowCRUD("api::nota.nota"): there is no such content-type. Did you mean "api::note.note"? Known: ...',
        'shadowCRUD("api::note.note").field("txt"): there is no such field. Did you mean "text"? Known: ...',
        'shadowCRUD("api::site.site").disableAction("findOne"): there is no such action. Did you mean "find"? Known: ...',
        'resolvers.Query.hello: Query has no field "hello". Known: ...',
        'Query.notes: there is no policy "is-owner". Known: ...',
        'Query.notes: the middleware "global::log" does not exist. Known: ...',
        'resolversConfig["Query.nots"]: Query has no field "nots". Did you mean "note"? Known: ...',
        'resolversConfig["Not.text"]: there is no type "Not" with resolvers. Did you mean "Note"? Known: ...',
        'resolversConfig["Note.text"].needs: Note has no attribute "words". Known: ...',
      ]);
      expect(problems.find((problem) => problem.includes("findOne"))).to.contain("find, update, delete");
    });

    it("is one of two that say different things of one resolver", async () => {
      const open: SchemaExtension = { resolversConfig: { "Query.notes": { auth: false } } };
      const scoped: SchemaExtension = {
        typeDefs: "type Query { hello: String }",
        resolvers: { Query: { hello: () => "Hello" } },
        resolversConfig: { "Query.notes": { auth: { scope: ["api::note.note.find"] }, policies: [() => true] } },
      };
      const third: SchemaExtension = {
        resolvers: { Query: { hello: () => "Hi" } },
        resolversConfig: { "Query.notes": { policies: [() => true] } },
      };
      const error = await start(database, (graphql) => graphql.use(open).use(scoped).use(third));
      expect(problemsOf(error)).to.deep.equal([
        "Query.notes: two extensions set its auth, and differently; keep one",
        "Query.hello: two extensions resolve it, and differently; put a middleware around it",
        "Query.notes: two extensions set its policies, and differently; keep one",
      ]);
    });

    it("may say of a resolver what another says, and adds its middlewares", async () => {
      const same: SchemaExtension = {
        resolversConfig: { "Query.notes": { auth: { scope: ["api::note.note.find"] } } },
      };
      const more: SchemaExtension = {
        resolversConfig: {
          "Query.notes": { auth: { scope: ["api::note.note.find"] }, middlewares: [(next, ...call) => next(...call)] },
        },
      };
      expect(await start(database, (graphql) => graphql.use(same).use(more))).to.equal(undefined);
    });

    it("is one whose types do not make a schema", async () => {
      const typeDefs = "type Query { hello: Greeting }";
      const unknown = await start(database, (graphql) => graphql.use({ typeDefs }));
      expect(unknown?.code).to.equal("PLINTH_GRAPHQL_SCHEMA_INVALID");
      expect(problemsOf(unknown)[0]).to.contain('Unknown type "Greeting"');
      const broken = await start(database, (graphql) => graphql.use({ typeDefs: "type {" }));
      expect(problemsOf(broken)[0]).to.contain("Syntax Error");
    });

    it("is a middleware of requests where one of resolvers belongs", async () => {
      const app = { middlewares: { log: () => (_ctx: unknown, next: () => unknown) => next() } };
      const error = await start(
        database,
        (graphql) => graphql.use({ resolversConfig: { "Query.notes": { middlewares: ["log"] } } }),
        app,
      );
      expect(problemsOf(error)[0]).to.contain('the middleware "log" is one of requests');
    });

    it("finds nothing generated where that is switched off, and its own types", async () => {
      const extension: SchemaExtension = {
        typeDefs: "type Query { hello: String }",
        resolversConfig: { "Query.hello": { auth: false }, "Query.notes": { auth: false } },
      };
      const error = await start(database, (graphql) => graphql.use(extension), {}, { shadowCRUD: false });
      expect(problemsOf(error)).to.have.length(1);
      expect(problemsOf(error)[0]).to.match(/^resolversConfig\["Query.notes"\]: Query has no field "notes".*hello/);
    });

    it("comes too late once the schema is made", async () => {
      let late: GraphqlExtension | undefined;
      await start(database, (graphql) => {
        late = graphql;
      });
      expect(() => late?.use({}))
        .to.throw("in register()")
        .with.property("code", "PLINTH_GRAPHQL_EXTENSION_TOO_LATE");
      expect(() => late?.shadowCRUD("api::note.note").disable()).to.throw("in register()");
      expect(() => late?.shadowCRUD("api::note.note").field("text").disableOutput()).to.throw("in register()");
      expect(late?.shadowCRUD("api::note.note").isEnabled()).to.equal(true);
    });

    it("says of content-types, actions and fields what is on and off", async () => {
      await start(database, (graphql) => {
        const note = graphql.shadowCRUD("api::note.note");
        expect([note.isEnabled(), note.areQueriesEnabled(), note.areMutationsEnabled()]).to.deep.equal([
          true,
          true,
          true,
        ]);
        note.disableMutations().disableActions(["find"]);
        expect([note.areMutationsDisabled(), note.areQueriesDisabled()]).to.deep.equal([true, false]);
        expect([note.isActionDisabled("find"), note.isActionEnabled("findOne")]).to.deep.equal([true, true]);
        const text = note.field("text").disableInput();
        expect([text.isEnabled(), text.hasInputEnabled(), text.hasOutputEnabled()]).to.deep.equal([true, false, true]);
        text.disable();
        expect([text.isDisabled(), text.hasFiltersEnabled()]).to.deep.equal([true, false]);
        const site = graphql.shadowCRUD("api::site.site").disable();
        expect([site.isDisabled(), site.areQueriesEnabled(), site.isActionEnabled("find")]).to.deep.equal([
          true,
          false,
          false,
        ]);
      });
    });
  });
});
