import { createPlinth, isPlinthError } from "@plinth/core";
import { expect } from "chai";
import { pino } from "pino";
import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { usersPermissionsPlugin } from "@plinth/plugin-users-permissions";

describe("a production app without its secrets", () => {
  for (const [plugin, variable] of [
    [apiTokensPlugin, "ADMIN_JWT_SECRET"],
    [usersPermissionsPlugin, "JWT_SECRET"],
  ] as const) {
    it(`does not start, says that ${variable} is missing, and still stops in order`, async () => {
      const logged: string[] = [];
      const log = pino({ level: "warn" }, { write: (line: string) => void logged.push(line) });
      const config = { database: { client: "pglite", directory: ":memory:" } };
      const plinth = createPlinth({ root: "/", environment: "production", plugins: [plugin], config, log });
      const failure = await plinth.start({ listen: false }).catch((error: unknown) => error);
      expect(isPlinthError(failure) && failure.message).to.include(variable);
      expect(logged.filter((line) => line.includes("stopped cleanly"))).to.deep.equal([]);
    });
  }
});
