import { createPlinth, type DatabaseConfig, type PlinthApp } from "@plinth/core";
import { auditPlugin } from "@plinth/plugin-audit";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { usersPermissionsPlugin } from "@plinth/plugin-users-permissions";
import { pino } from "pino";
import { CHEAP_ROUNDS } from "../projects.js";

/** An app with people who sign in, and an audit log that is sealed by itself only when it stops. */
export function makeAuditedApp(database: DatabaseConfig): PlinthApp {
  return createPlinth({
    ...{ root: "/nowhere", environment: "test", passwordRounds: CHEAP_ROUNDS, log: pino({ level: "silent" }) },
    plugins: [contentApiPlugin, usersPermissionsPlugin, auditPlugin],
    config: { database, server: { host: "127.0.0.1", port: 0 } },
    pluginConfigs: {
      audit: { seal: 3_600 },
      "users-permissions": { jwtSecret: "a secret of the tests alone", rateLimit: { max: 1_000 } },
    },
  });
}
