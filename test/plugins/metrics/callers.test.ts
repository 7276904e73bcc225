import { metricsPlugin } from "@plinth/plugin-metrics";
import { channels, type UploadMessage } from "@plinth/core/telemetry";
import { expect } from "chai";
import { listenTo } from "../../core/base/listen.js";
import { eitherDatabase } from "../../databases.js";
import { serveUploads } from "../upload/serve-uploads.js";
import { PASSWORD, serveAuthApp } from "../users-permissions/auth-app.js";
import { readMetrics } from "./read-metrics.js";

const SCRIPTED = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

describe("what metrics know of callers", () => {
  eitherDatabase(import.meta.url, (database) => {
    describe("who sign in", () => {
      const served = serveAuthApp(database, {
        config: { rateLimit: { max: 3, maxPerAddress: 100 } },
        setup: { plugins: [metricsPlugin] },
      });

      it("is how, and with which result", async () => {
        const { plinth, ask, post, register } = served();
        await register("ada");
        const login = (password: string) => post("/api/auth/local", { identifier: "ada", password });
        expect((await login(PASSWORD)).status).to.equal(200);
        expect((await login("wrong")).status).to.equal(400);
        expect((await login("wrong")).status).to.equal(400);
        expect((await login("wrong")).status).to.equal(429);
        await ask("GET", "/api/users/me", { token: "unknown" });
        const answer = await plinth.app.management.ask("/metrics");
        const { value } = readMetrics(answer?.body ?? "");
        const count = (kind: string, result: string) => value("plinth_auth_total", { kind, result });
        expect([count("register", "accepted"), count("login", "accepted")]).to.deep.equal([1, 1]);
        expect([count("login", "refused"), count("attempt", "limited")]).to.deep.equal([2, 1]);
        expect(count("bearer", "refused")).to.equal(1);
        const operation = value("plinth_http_requests_total", { api: "auth", operation: "callback", status: "2xx" });
        expect(operation).to.equal(1);
      });
    });
  });

  eitherDatabase(import.meta.url, (database) => {
    describe("who send files", () => {
      const served = serveUploads(database);
      const heard = listenTo({ upload: channels.upload });

      it("is each file, with its size and its result", async () => {
        const { send, plinth } = served();
        await send([
          { name: "a.txt", content: "four" },
          { name: "b.txt", content: "eleven here" },
        ]);
        await send([{ name: "c.svg", content: SCRIPTED }]);
        const own = (heard.upload as UploadMessage[]).filter(({ app }) => app === plinth.app);
        expect(own.map(({ result, bytes }) => [result, bytes])).to.deep.equal([
          ["accepted", 4],
          ["accepted", 11],
          ["refused", SCRIPTED.length],
        ]);
      });
    });
  });
});
