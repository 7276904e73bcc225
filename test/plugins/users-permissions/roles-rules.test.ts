import { expect } from "chai";
import { graphqlPlugin } from "@plinth/plugin-graphql";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { eitherDatabase } from "../../databases.js";
import { ADMIN, type Answered, serveAuthApp, startAuthApp } from "./auth-app.js";

const role = (action: string) => `plugin::users-permissions.role.${action}`;
const where = { type: "public" };
const setup = { plugins: [contentApiPlugin, graphqlPlugin] };

eitherDatabase(import.meta.url, (database) => {
  describe("rules on roles", () => {
    const permissions = {
      authenticated: [
        { action: role("find"), where, fields: ["name", "type"] },
        { action: role("findOne"), where, fields: ["name"] },
      ],
    };
    const served = serveAuthApp(database, {
      setup,
      appConfig: { permissions, access: { tokens: { [ADMIN]: "all" } } },
    });
    const ROLES = "/api/users-permissions/roles";
    let token: string;
    const ask = (path: string, bearer = token): Promise<Answered> => served().ask("GET", path, { token: bearer });

    before("sign in", async () => {
      token = (await served().register("watching")).jwt;
    });

    it("hold for the list over REST as over GraphQL", async () => {
      const { roles } = (await ask(ROLES)).body;
      expect(roles.map(({ type }: { type: string }) => type)).to.deep.equal(["public"]);
      expect(roles[0]).to.have.all.keys(
        ...["id", "documentId", "name", "type", "createdAt", "updatedAt", "publishedAt", "nb_users"],
      );
      const body = { query: "{ usersPermissionsRoles { type } }" };
      const { data } = (await served().ask("POST", "/graphql", { token, body })).body;
      expect(data.usersPermissionsRoles).to.deep.equal([{ type: "public" }]);
    });

    it("hold for one role, and for what it may do where their fields leave it out", async () => {
      const all = (await ask(ROLES, ADMIN)).body.roles as { id: number; type: string }[];
      for (const { id, type } of all) {
        const { status, body } = await ask(`${ROLES}/${id}`);
        expect(status, type).to.equal(type === "public" ? 200 : 404);
        if (status === 200) expect(body.role).not.to.have.any.keys("permissions", "description", "type");
        expect((await ask(`${ROLES}/${id}`, ADMIN)).body.role).to.include.keys("permissions", "description", "type");
      }
    });

    it("are refused at the start for changes, which nothing limits", async () => {
      for (const action of ["create", "update", "delete"]) {
        const error = await startAuthApp(database, {
          appConfig: { permissions: { authenticated: [{ action: role(action), where }] } },
        }).catch((cause: unknown) => cause);
        expect(String(error), action).to.include(`a rule would have no effect on ${role(action)}`);
      }
    });
  });
});
