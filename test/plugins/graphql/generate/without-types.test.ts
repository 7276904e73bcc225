import { join } from "node:path";
import { expect } from "chai";
import { graphqlExtension } from "@plinth/plugin-graphql";
import { FILE_TYPE } from "#plugins/upload/src/content-types.js";
import { USER } from "#plugins/users-permissions/src/content-types.js";
import { loadForTest, startForTest } from "../../../projects.js";

const CORPUS = join(import.meta.dirname, "..", "..", "..", "apps", "corpus");

interface SchemaAnswer {
  readonly data: { readonly __schema: { readonly mutationType: { readonly fields: readonly { name: string }[] } } };
}

/** The fields of Mutation of the corpus app, with all of its plugins. */
async function mutationsOf(graphql: object, hidden: readonly string[]): Promise<readonly string[]> {
  const setup = await loadForTest(CORPUS);
  const { plinth, url } = await startForTest({
    ...setup,
    app: {
      ...setup.app,
      register: ({ extension }) => {
        for (const uid of hidden) extension(graphqlExtension).shadowCRUD(uid).disable();
      },
    },
    config: { ...setup.config, database: { client: "pglite", directory: ":memory:" } },
    pluginConfigs: { ...setup.pluginConfigs, graphql: { introspection: true, ...graphql } },
  });
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: "{ __schema { mutationType { fields { name } } } }" }),
  });
  const { data } = (await response.json()) as SchemaAnswer;
  await plinth.stop();
  return data.__schema.mutationType.fields.map(({ name }) => name);
}

describe("Fields of plugins whose content-types are not in the schema", () => {
  it("are gone with them, and signing in stays", async () => {
    for (const names of [await mutationsOf({ shadowCRUD: false }, []), await mutationsOf({}, [FILE_TYPE, USER])]) {
      expect(names).to.include.members(["login", "register", "resetPassword"]);
      for (const gone of ["updateUploadFile", "deleteUploadFile", "createUsersPermissionsUser"])
        expect(names).not.to.include(gone);
    }
  });
});
