import type { Grant } from "@plinth/core/access";
import { adminPlugin } from "@plinth/plugin-admin";
import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { usersPermissionsPlugin } from "@plinth/plugin-users-permissions";
import { expect } from "chai";
import type { UsersPermissionsConfig } from "#plugins/users-permissions/src/config.js";
import { worthOf } from "#plugins/users-permissions/src/roles/grant-worth.js";
import { storePermissions } from "#plugins/users-permissions/src/roles/stored-permissions.js";
import { eitherDatabase } from "../../databases.js";
import { serveAdmin } from "./serve-admin.js";

const USER = "plugin::users-permissions.user";
const REGISTER = "plugin::users-permissions.auth.register";
const NOTE = "api::note.note.find";

eitherDatabase(import.meta.url, (database) => {
  describe("the worth of a grant to who hands it on", () => {
    const served = serveAdmin(database, {
      plugins: [contentApiPlugin, apiTokensPlugin, adminPlugin, usersPermissionsPlugin],
      pluginConfigs: { "users-permissions": { jwtSecret: "what only these tests know" } },
    });
    const app = () => served().plinth.app;
    const worth = (grant: Grant, enabled = true) => {
      const config = app().plugin("users-permissions").config as UsersPermissionsConfig;
      return worthOf(app(), { ...config, register: { ...config.register, enabled } }, grant);
    };
    const setRole = async (type: string, actions: readonly string[]) => {
      const role = await app().documents("plugin::users-permissions.role").findFirst({ filters: { type } });
      await app().db.transaction(() => storePermissions(app(), role?.id ?? 0, actions));
    };
    before("let everybody who has registered read notes", () => setRole("authenticated", [NOTE]));

    it("is nothing for what everybody gets by registering, as long as the public may register", async () => {
      await setRole("public", [REGISTER]);
      expect(await worth([NOTE, REGISTER])).to.deep.equal([]);
      expect(await worth([NOTE, REGISTER], false), "by the configuration").to.deep.equal([NOTE]);
      await setRole("public", []);
      expect(await worth([NOTE]), "by the role of the public").to.deep.equal([NOTE]);
    });

    it("is that of the default role for what lets its holder register where the public may not", async () => {
      await setRole("public", []);
      expect(await worth([REGISTER])).to.deep.equal([REGISTER, NOTE]);
      expect(await worth(["plugin::users-permissions.auth.callback"])).to.have.length(1);
      const own = ["user.me", "auth.logout"].map((name) => `plugin::users-permissions.${name}`);
      expect(await worth(own)).to.deep.equal([]);
    });

    it("is everything for rules by which users are changed in what decides on rights", async () => {
      const own = { id: "{{user.id}}" };
      const others = { role: { users: own } };
      const everything: readonly (string | object)[] = [
        `${USER}.update`,
        { action: `${USER}.update`, where: others },
        { action: `${USER}.update`, where: own },
        { action: `${USER}.update`, where: own, fields: ["username", "role"] },
        { action: `${USER}.update`, where: others, fields: ["email"] },
        { action: `${USER}.update`, fields: ["confirmationToken"], set: { role: 3 } },
        { action: `${USER}.create`, set: { provider: "{{user.id}}" } },
        "plugin::users-permissions.*",
      ];
      for (const item of everything) expect(await worth([item] as Grant), JSON.stringify(item)).to.equal("all");
      const harmless = { action: `${USER}.update`, where: own, fields: ["username", "email", "password"] };
      expect(await worth([harmless])).to.deep.equal([harmless]);
    });
  });
});
