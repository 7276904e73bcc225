import type { App, Route } from "@plinth/core";
import { onAct } from "@plinth/core/access";
import { handlerOf, originOf, type RequestInfo } from "@plinth/core/http";
import { text } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";
import { type AdminRoute, adminRoute } from "../access/admin-route.js";
import { readBody } from "../content/request-body.js";
import { modelViews } from "../model/model-views.js";
import type { BuilderChange, BuilderView, SchemaChange } from "../wire/builder.js";
import { applyDraft, newestChange } from "./apply-draft.js";
import { descriptions } from "./describe-routes.js";
import { BuilderReadOnlyError } from "./errors.js";
import { planDraft } from "./plan-draft.js";
import { readSchemaFiles, viewOf } from "./schema-files.js";

/** What is granted to those who change the content model. */
const ACTION = "plugin::admin.builder";

/** A large model is sent as a whole. */
const BODY_LIMIT = "4mb";

/** Routes of the builder: what the content model is made of, and how it is changed where the app is developed. */
export function createBuilderRoutes(app: App): readonly Route[] {
  return [
    route("GET", "/builder", { description: descriptions.show, handler: handlerOf(async () => ok(await show(app))) }),
    route("GET", "/builder/change", {
      description: descriptions.change,
      handler: handlerOf(async () => ok({ change: await newestChange(app) })),
    }),
    route("GET", "/builder/export", {
      description: descriptions.export,
      handler: handlerOf(async () => ({
        ...ok(await exportFiles(app)),
        headers: { "Content-Disposition": 'attachment; filename="content-model.json"' },
      })),
    }),
    route("POST", "/builder/plan", {
      ...{ description: descriptions.plan, bodyLimit: BODY_LIMIT },
      handler: handlerOf(async (request) => ok(await plan(app, request))),
    }),
    route("POST", "/builder/apply", {
      ...{ description: descriptions.apply, bodyLimit: BODY_LIMIT },
      handler: handlerOf(async (request) => ({
        status: 202,
        body: { change: await apply(app, request) },
      })),
    }),
  ];
}

const route = (
  method: AdminRoute["method"],
  path: string,
  rest: Pick<AdminRoute, "handler" | "description" | "bodyLimit">,
): Route => adminRoute({ method, path, action: ACTION, ...rest });

const ok = (body: object) => ({ status: 200, body });

async function show(app: App): Promise<BuilderView> {
  const canChange = app.sources !== undefined;
  return {
    canChange,
    modelVersion: app.service(modelViews).version,
    shapes: (await readSchemaFiles(app)).map((file) => viewOf(file, canChange)),
    change: await newestChange(app),
  };
}

/** The schema files, by their paths. */
async function exportFiles(app: App): Promise<{ readonly files: Readonly<Record<string, unknown>> }> {
  const files = (await readSchemaFiles(app)).flatMap(({ path, text: written, own }) =>
    path === null || written === null ? [] : [[path, own ?? written] as const],
  );
  return { files: Object.fromEntries(files) };
}

async function plan(app: App, request: RequestInfo) {
  if (!app.sources) throw new BuilderReadOnlyError({});
  return await planDraft(app, readBody(draftBody, request).changes as readonly SchemaChange[]);
}

/** Applies a draft, and notes by the hook `access:onAct` which schemas it changed. */
async function apply(app: App, request: RequestInfo): Promise<BuilderChange> {
  const draft = readBody(applicationBody, request);
  const applied = await applyDraft(app, draft);
  const details = { uids: draft.changes.map(({ uid }) => uid) };
  await app.hooks.notify(onAct, { action: "builder.apply", result: "accepted", origin: originOf(request), details });
  return applied;
}

const change = v.strictObject({
  uid: text(),
  shape: v.picklist(["type", "component"]),
  base: v.nullable(text()),
  schema: v.nullable(v.record(v.string(), v.unknown())),
});

const changes = v.pipe(
  v.array(change),
  v.minLength(1, "must have one change at least"),
  v.check((list) => new Set(list.map(({ uid }) => uid)).size === list.length, "must name each schema once"),
);

const draftBody = v.strictObject({ changes });

const applicationBody = v.strictObject({
  ...draftBody.entries,
  hash: text(),
  names: v.optional(v.record(v.string(), v.string()), {}),
});
