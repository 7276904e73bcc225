import { NoTransactionError } from "../database/errors.js";
import { createReader } from "../database/reads/reader.js";
import type { Database } from "../database/driver/database.js";
import { type Layout, tableOf } from "../database/layout/layout.js";
import type { HookBus } from "../kernel/hook-bus.js";
import { forAllDocuments } from "./all-documents.js";
import type { Documents, DocumentUse, ManyParams, ReadParams, VersionParams } from "./documents.js";
import type { ContentModel, ContentType } from "../schema/model.js";
import { UnknownTypeError } from "./errors.js";
import { aroundOperation, type Operation } from "./hooks.js";
import type { HashPassword } from "./input/parse-input.js";
import { Listeners } from "./listeners.js";
import { assertOptions } from "./params/assert-options.js";
import { PUBLIC_BUDGET, type ReadBudget } from "./params/read-budget.js";
import { Reads } from "./reads.js";
import { OutputTransformer } from "./transform-output.js";
import type { DocumentsOf } from "./typed/typed-documents.js";
import { ComponentIds } from "../database/writes/component-sql.js";
import { createWriteRunner } from "./write/run-write.js";
import { findUsagesSql } from "../database/writes/references.js";
import { planWrites } from "../database/writes/write-plan.js";
import { create } from "./operations/create.js";
import { deleteVersions } from "./operations/delete.js";
import { discardDraft } from "./operations/discard-draft.js";
import { runOnVersions, type VersionOperation } from "./operations/on-versions.js";
import { publish } from "./operations/publish.js";
import { unpublish } from "./operations/unpublish.js";
import { update } from "./operations/update.js";
import { upsertSingle } from "./operations/upsert-single.js";
import { lockVersions, singleId, type WriteParts } from "./operations/write-parts.js";

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
}

/** Makes the document operations of an app: the only place with content behaviour. */
export function createDocuments({
  db,
  layout,
  hooks,
  hashPassword,
  isNamed,
  budget = PUBLIC_BUDGET,
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
  };
  const made = new Map<string, Documents>();

  const make = (uid: string): Documents => {
    const type = typeOf(model, uid);
    const reads = new Reads({ model, type, reader, output, budget });
    const parts = { ...shared, reads, plan: planWrites(layout, type) };
    const single = withHooks(parts);
    return {
      ...single,
      ...ofMany(db, single),
      upsertSingle: (params) => upsertSingle(parts, single, params),
      singleId: () => singleId(parts),
      lock: async (documentId) => {
        if (!db.isInTransaction) throw new NoTransactionError({ what: "documents(uid).lock" });
        return (await lockVersions(parts, documentId, "lockToRemove")).length > 0;
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
  return async (documentId) => {
    text ??= findUsagesSql(layout, type) ?? "";
    return text === "" ? [] : await db.query<DocumentUse>({ text, values: [documentId], isPlan: true });
  };
}

/** The operations on one document, or that read. */
type OneOperation = "create" | "update" | "delete" | "publish" | "unpublish" | "discardDraft";
type Single = Pick<
  Documents,
  "findMany" | "findFirst" | "findOne" | "count" | "read" | "hasOutputHooks" | OneOperation
>;

/** The operations on several documents: those on one, repeated. */
function ofMany(db: Database, single: Single): Pick<Documents, "publishMany" | "unpublishMany" | "discardDraftMany"> {
  const many =
    (action: "publish" | "unpublish" | "discardDraft") =>
    ({ documentIds, ...params }: ManyParams) =>
      forAllDocuments(db, documentIds, (documentId) => single[action]({ ...params, documentId }));
  return {
    publishMany: many("publish"),
    unpublishMany: many("unpublish"),
    discardDraftMany: many("discardDraft"),
  };
}

type Conditions = Pick<ReadParams, "filters" | "sort">;

/** Operations that check their conditions themselves. */
const READS: ReadonlySet<Operation> = new Set(["findMany", "findFirst", "findOne", "count"]);

/** Checks the options of every operation, and puts `documents:aroundOperation` around it. */
function withHooks(parts: WriteParts): Single {
  const { listeners, reads } = parts;
  const { uid } = parts.plan.type;
  const hooked = <Result>(operation: Operation, params: unknown, run: () => Promise<Result>): Promise<Result> =>
    listeners.around({ uid, operation, params }, run);
  const around = async <Result>(
    operation: Exclude<Operation, "read">,
    params: Conditions | undefined,
    run: () => Promise<Result>,
  ): Promise<Result> => {
    assertOptions(operation, params);
    if (params && !READS.has(operation)) reads.checkConditions(params);
    return await hooked(operation, params, run);
  };
  const onVersions = (operation: VersionOperation) => (params: VersionParams) =>
    around(operation.kind, params, () => runOnVersions(parts, operation, params));
  return {
    findMany: (params) => around("findMany", params, () => reads.findMany(params)),
    findFirst: (params) => around("findFirst", params, () => reads.findFirst(params)),
    findOne: (params) => around("findOne", params, () => reads.findOne(params)),
    count: (params) => around("count", params, () => reads.count(params)),
    read: (prepared) => hooked("read", prepared, () => reads.read(prepared)),
    hasOutputHooks: (prepared) => listeners.has(aroundOperation) || reads.isTransformed(prepared),
    create: (params) => around("create", params, () => create(parts, params)),
    update: (params) => around("update", params, () => update(parts, params)),
    delete: onVersions(deleteVersions),
    publish: onVersions(publish),
    unpublish: onVersions(unpublish),
    discardDraft: onVersions(discardDraft),
  };
}
