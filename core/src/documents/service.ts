import type { Tracer } from "@opentelemetry/api";
import { currentOrigin } from "../access/origin.js";
import { findTracer, inSpan } from "../base/tracing.js";
import { type Clock, systemClock } from "../database/clock.js";
import type { Database } from "../database/driver/database.js";
import { NoTransactionError } from "../database/errors.js";
import { type Layout, tableOf } from "../database/layout/layout.js";
import { createReader } from "../database/reads/reader.js";
import { ComponentIds } from "../database/writes/component-sql.js";
import { findUsagesSql } from "../database/writes/references.js";
import { planWrites } from "../database/writes/write-plan.js";
import type { HookBus } from "../kernel/hook-bus.js";
import type { ContentModel, ContentType } from "../schema/model.js";
import { forAllDocuments } from "./all-documents.js";
import { askAsCaller } from "./ask-as-caller.js";
import { assertOptions, type CalledOperation } from "./assert-options.js";
import type {
  Asked,
  CreateParams,
  Documents,
  DocumentUse,
  ManyParams,
  OneParams,
  ReadParams,
  UpdateParams,
  VersionParams,
} from "./documents.js";
import { UnknownTypeError } from "./errors.js";
import { aroundOperation, type Operation } from "./hooks.js";
import type { HashPassword } from "./input/parse-input.js";
import { Listeners } from "./listeners.js";
import { create } from "./operations/create.js";
import { deleteVersions } from "./operations/delete.js";
import { discardDraft } from "./operations/discard-draft.js";
import { runOnVersions, type VersionOperation } from "./operations/on-versions.js";
import { publish } from "./operations/publish.js";
import { unpublish } from "./operations/unpublish.js";
import { update } from "./operations/update.js";
import { upsertSingle } from "./operations/upsert-single.js";
import { lockVersions, singleId, type WriteParts } from "./operations/write-steps.js";
import { PUBLIC_BUDGET, type ReadBudget } from "./params/read-budget.js";
import { Reads } from "./reads.js";
import { OutputTransformer } from "./transform-output.js";
import type { DocumentsOf } from "./typed/typed-documents.js";
import { createWriteRunner } from "./write/run-write.js";

/** The storage of documents, and their hooks. */
export interface DocumentsOptions {
  readonly db: Database;
  readonly layout: Layout;
  /** Sealed. */
  readonly hooks: HookBus;
  readonly hashPassword: HashPassword;
  /** Whether any role or token is granted an action by its name; see Permissions. */
  readonly isNamed: (action: string) => boolean;
  /** Of answers to clients; default: PUBLIC_BUDGET. */
  readonly budget?: ReadBudget;
  /** Default: that of this machine. */
  readonly clock?: Clock;
}

/** Makes the document operations of an app: the only place with content behaviour. */
export function createDocuments({
  db,
  layout,
  hooks,
  hashPassword,
  isNamed,
  budget = PUBLIC_BUDGET,
  clock = systemClock,
}: DocumentsOptions): DocumentsOf {
  const { model } = layout;
  const listeners = new Listeners(hooks, db);
  const reader = createReader(db, layout);
  const output = new OutputTransformer(model, listeners);
  const shared = {
    db,
    layout,
    reader,
    listeners,
    componentIds: new ComponentIds(db),
    runner: createWriteRunner(db, model),
    hashPassword,
    isNamed,
    clock,
    tracer: findTracer(),
  };
  const made = new Map<string, Documents>();

  const make = (uid: string): Documents => {
    const type = typeOf(model, uid);
    const reads = new Reads({ model, type, reader, output, budget, isAnswered: listeners.has(aroundOperation, uid) });
    const parts = { ...shared, reads, plan: planWrites(layout, type) };
    const single = withHooks(parts);
    return {
      ...single,
      ...ofMany(db, single),
      upsertSingle: (params) => upsertSingle(parts, single, params),
      singleId: () => singleId(parts),
      statementOf: (prepared) => reader.statementOf(prepared),
      pointsOf: async (prepared, options) => reader.pointsOf(await reads.priced(prepared), options),
      lock: async (documentId, mode = "exclusive") => {
        if (!db.isInTransaction) throw new NoTransactionError({ what: "documents(uid).lock" });
        return (await lockVersions(parts, documentId, mode === "shared" ? "lockToKeep" : "lockToRemove")).length > 0;
      },
      usesOf: createUses(db, layout, uid),
    };
  };
  const documentsOf = (uid: string): Documents => {
    const documents = made.get(uid) ?? make(uid);
    made.set(uid, documents);
    return documents;
  };
  // Generated types describe documents; the operations are the same for all types.
  return documentsOf as DocumentsOf;
}

/** @throws PLINTH_DOCUMENT_UNKNOWN_TYPE */
function typeOf({ contentTypes }: ContentModel, uid: string): ContentType {
  const type = contentTypes.get(uid);
  if (!type) throw new UnknownTypeError({ uid, known: [...contentTypes.keys()] });
  return type;
}

/** The statement is planned on first use: for most types it is never needed. */
function createUses(db: Database, layout: Layout, uid: string): Documents["usesOf"] {
  const { type } = tableOf(layout, uid);
  let text: string | undefined;
  return async (documentId, { most = null } = {}) => {
    text ??= findUsagesSql(layout, type) ?? "";
    return text === "" ? [] : await db.query<DocumentUse>({ text, values: [documentId, most], isPlan: true });
  };
}

/** The operations on one document, or that read. */
type OneOperation = "create" | "update" | "delete" | "publish" | "unpublish" | "discardDraft";
type Single = Pick<
  Documents,
  "findMany" | "findFirst" | "findOne" | "count" | "read" | "hasOutputHooks" | OneOperation
>;

/** The operations on several documents: those on one, repeated. */
function ofMany(db: Database, single: Single): Pick<Documents, `${ManyOperation}Many`> {
  const many =
    <Params extends object, Result>(run: (params: Params & OfDocument) => Promise<Result>) =>
    ({ documentIds, ...params }: Params & Pick<ManyParams, "documentIds">) =>
      forAllDocuments(db, documentIds, (documentId) => run({ ...(params as unknown as Params), documentId }));
  return {
    publishMany: many(single.publish),
    unpublishMany: many(single.unpublish),
    discardDraftMany: many(single.discardDraft),
    deleteMany: many(single.delete),
    updateMany: many(single.update),
  };
}

type ManyOperation = Exclude<OneOperation, "create">;
type OfDocument = Pick<VersionParams, "documentId">;

type Conditions = Pick<ReadParams, "filters" | "sort">;

type RunOperation = <Result>(operation: Operation, params: unknown, run: () => Promise<Result>) => Promise<Result>;

/** Puts a span around every operation, where there are traces. */
function traced(tracer: Tracer | undefined, uid: string, run: RunOperation): RunOperation {
  if (!tracer) return run;
  const nameOf = (operation: Operation) =>
    operation === "read" || READS.has(operation) ? "plinth.read" : "plinth.write";
  return (operation, params, work) =>
    inSpan(tracer, { name: nameOf(operation), uid, operation }, () => run(operation, params, work));
}

/** Operations that check their conditions themselves. */
const READS: ReadonlySet<Operation> = new Set(["findMany", "findFirst", "findOne", "count"]);

/** Undefined where no SDK is registered. */
interface TracedParts {
  readonly tracer: Tracer | undefined;
}

/** Checks the options of every operation, and puts `documents:aroundOperation` around it. */
function withHooks(parts: WriteParts & TracedParts): Single {
  const { listeners, reads } = parts;
  const { uid } = parts.plan.type;
  const isHooked = listeners.has(aroundOperation, uid);
  const hooked = traced(parts.tracer, uid, (operation, params, run) =>
    isHooked ? listeners.around({ uid, operation, params, origin: currentOrigin() }, run) : run(),
  );
  const around =
    <Params extends Conditions, Result>(operation: CalledOperation, run: (params: Params) => Promise<Result>) =>
    async (asked: Asked<Params>): Promise<Result> => {
      assertOptions(operation, asked);
      const isRead = READS.has(operation);
      const params = askAsCaller<Params>(asked, isRead);
      if (params && !isRead) reads.checkConditions(params);
      return await hooked(operation, params, () => run(params));
    };
  const onVersions = (operation: VersionOperation) =>
    around(operation.kind, (params: VersionParams) => runOnVersions(parts, operation, params));
  return {
    findMany: around("findMany", (params: ReadParams) => reads.findMany(params)),
    findFirst: around("findFirst", (params: ReadParams) => reads.findFirst(params)),
    findOne: around("findOne", (params: OneParams) => reads.findOne(params)),
    count: around("count", (params: ReadParams) => reads.count(params)),
    read: (prepared, options) => hooked("read", prepared, () => reads.read(prepared, options)),
    hasOutputHooks: (prepared) => listeners.has(aroundOperation) || reads.isTransformed(prepared),
    create: around("create", (params: CreateParams) => create(parts, params)),
    update: around("update", (params: UpdateParams) => update(parts, params)),
    delete: onVersions(deleteVersions),
    publish: onVersions(publish),
    unpublish: onVersions(unpublish),
    discardDraft: onVersions(discardDraft),
  };
}
