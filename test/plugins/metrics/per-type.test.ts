import type { RawContentType } from "@plinth/core";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { metricsPlugin } from "@plinth/plugin-metrics";
import { createTestApp, type TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { eventually } from "../../core/database/driver/note-app.js";
import { readMetrics } from "./read-metrics.js";

/** Of those that have a label of their own, and of the app. */
const LABELS = 200;
const TYPES = 203;

const names = Array.from({ length: TYPES }, (_, index) => `thing-${index}`);
const contentTypes = Object.fromEntries(
  names.map((name): [string, RawContentType] => {
    const uid = `api::${name}.${name}` as const;
    const info = { singularName: name, pluralName: `${name}s`, displayName: name };
    const attributes = { title: { type: "string" } } as const;
    return [uid, { uid, kind: "collectionType", info, options: { draftAndPublish: false }, attributes }];
  }),
);

describe("metrics of an app with more content-types than have a label of their own", () => {
  let test: TestApp;
  before("start it", async () => {
    const plugins = [contentApiPlugin, metricsPlugin];
    const config = { access: { public: "read" } };
    test = await createTestApp({
      plugins,
      pluginConfigs: { metrics: { perType: true } },
      app: { contentTypes },
      config,
    });
  });
  after("stop it", () => test?.stop());

  it(`have ${LABELS} of them, and call the rest other`, async () => {
    for (const name of names) expect((await test.public.get(`/api/${name}s`)).status).to.equal(200);
    const own = [...test.app.model.contentTypes.keys()].slice(0, LABELS).filter((uid) => uid in contentTypes);
    expect(own.length).to.be.lessThan(TYPES);
    await eventually(async () => {
      const { value, labelsOf } = readMetrics((await test.app.management.ask("/metrics"))?.body ?? "");
      const find = { api: "rest", operation: "find", status: "2xx" };
      const types = labelsOf("plinth_http_requests_total").map(({ type }) => type);
      expect(types.sort()).to.deep.equal([...own, "other"].sort());
      expect(value("plinth_http_requests_total", { ...find, type: "other" })).to.equal(TYPES - own.length);
      expect(value("plinth_http_seconds_count", { ...find, type: own[0] })).to.equal(1);
    });
  });
});
