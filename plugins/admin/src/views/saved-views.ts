import { type App, type Document, ForbiddenError, lockStatement, NotFoundError } from "@plinth/core";
import type { EndpointAnswer, RequestInfo } from "@plinth/core/http";
import { noList, text } from "@plinth/core/options";
import type { ContentType } from "@plinth/core/schema";
import * as v from "@plinth/core/valibot";
import { roles, ROLES_LOCK } from "../access/roles.js";
import { withAdministrator } from "../access/with-administrator.js";
import { names } from "../content/names.js";
import { invalidRequest, readBody } from "../content/request-body.js";
import { isShown, typeFor } from "../content/shown-types.js";
import { ADMINISTRATOR_TYPE } from "../content-types/administrator.js";
import { VIEW_TYPE } from "../content-types/view.js";
import type { SavedView, SavedViews, ViewState } from "../wire/views.js";
import { accountOf } from "../working-copies/working-copies.js";
import { TooManyViewsError, ViewTooLargeError } from "./errors.js";
import { assertState, readableState, stateBody } from "./view-state.js";

/** Views that an account may have, of all types. */
const MOST = 100;

/** Views of one type that are shared with a reader, for a list. */
const MOST_SHARED = 200;

/** Bytes of JSON of a state. */
const MAX_BYTES = 16 * 1024;

/** What lets an administrator share views, and manage those that are shared. */
const SHARE = "plugin::admin.views";

const name = v.pipe(text(), v.maxLength(100));
const roleNames = v.pipe(v.array(text()), v.maxLength(100));

/** Body of a new view. */
export const viewBody = v.strictObject({ name, state: noList(stateBody), roles: v.optional(roleNames, []) });

/** Body of a change of a view. */
export const viewChanges = v.strictObject({
  name: v.optional(name),
  state: v.optional(noList(stateBody)),
  roles: v.optional(roleNames),
});

/** A view as it is kept. */
interface StoredView {
  readonly documentId: string;
  readonly account: string;
  readonly contentType: string;
  readonly name: string;
  readonly state: ViewState;
  readonly roles: readonly string[];
  readonly isShared: boolean;
}

/** The caller: their account, their role, and whether they manage what is shared. */
interface Reader {
  readonly account: string;
  readonly role: string;
  readonly shares: boolean;
}

/** `GET /admin/api/views/:uid`. */
export async function listViews(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const type = typeFor(app, request, "find");
  const reader = await readerOf(app, request);
  const views = app.documents(VIEW_TYPE);
  const common = { sort: "id:asc", withPrivate: true } as const;
  const own = await views.findMany({
    ...{ ...common, filters: { account: reader.account, contentType: type.uid }, pagination: { limit: MOST } },
  });
  const filters = { documentId: { $in: await sharedWith(app, type, reader) } };
  const shared = await views.findMany({ ...common, filters, pagination: { limit: MOST_SHARED } });
  const seen = [...own, ...shared].map(storedOf).filter((view) => mayRead(reader, view));
  const data = await viewsOf(app, request, { type, reader }, seen);
  const meta = { roles: reader.shares ? await app.service(roles).names() : [] };
  return { status: 200, body: { data, meta } satisfies SavedViews };
}

/** The documentIds of views of others that are there for a reader, the oldest first. */
async function sharedWith({ db, model }: App, { uid }: ContentType, reader: Reader): Promise<readonly string[]> {
  const text = `select document_id from "${model.contentTypes.get(VIEW_TYPE)?.table}"
    where content_type = $1 and is_shared and account <> $2 and ($3 or roles ? $4) order by id limit ${MOST_SHARED}`;
  const values = [uid, reader.account, reader.shares, reader.role];
  const rows = await db.query<{ document_id: string }>({ text, values });
  return rows.map(({ document_id }) => document_id);
}

/** `POST /admin/api/views/:uid`. @throws PLINTH_ACCESS_UNAUTHENTICATED (401) for an account that is deleted */
export async function createView(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const type = typeFor(app, request, "find");
  const reader = await readerOf(app, request);
  const body = readBody(viewBody, request);
  const { account } = reader;
  const make = async () => {
    const values = await checked(app, request, { type, reader }, body);
    await app.db.lock(`admin views ${account}`);
    const views = app.documents(VIEW_TYPE);
    if ((await views.count({ filters: { account }, withPrivate: true })) >= MOST)
      throw new TooManyViewsError({ maximum: MOST });
    return await views.create({ data: { ...values, account, contentType: type.uid }, withPrivate: true });
  };
  const made = await keepingRoles(app, body.roles, () => withAdministrator(app, account, make));
  const [data] = await viewsOf(app, request, { type, reader }, [storedOf(made)]);
  return { status: 201, body: { data } };
}

/** `PUT /admin/api/views/:id`. */
export async function updateView(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const { type, reader, view } = await editableView(app, request);
  const body = readBody(viewChanges, request);
  const changed = await keepingRoles(app, body.roles, async () => {
    if (body.roles?.length === 0) await assertOwner(app, view);
    const data = await checked(app, request, { type, reader }, body);
    return await app.documents(VIEW_TYPE).update({ documentId: view.documentId, data, withPrivate: true });
  });
  if (!changed) throw new NotFoundError({});
  const [data] = await viewsOf(app, request, { type, reader }, [storedOf(changed)]);
  return { status: 200, body: { data } };
}

/** `DELETE /admin/api/views/:id`. */
export async function deleteView(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const { view } = await editableView(app, request);
  await app.documents(VIEW_TYPE).delete({ documentId: view.documentId });
  return { status: 204 };
}

/** The type of a list, and who looks at it. */
interface ListOf {
  readonly type: ContentType;
  readonly reader: Reader;
}

/** @throws PLINTH_HTTP_NOT_FOUND (404) for one that is not there for the caller, PLINTH_ACCESS_FORBIDDEN (403) for one that the caller may not change */
async function editableView(app: App, request: RequestInfo): Promise<ListOf & { readonly view: StoredView }> {
  const reader = await readerOf(app, request);
  const found = await app.documents(VIEW_TYPE).findOne({
    ...{ documentId: request.params["id"] ?? "", withPrivate: true },
  });
  const view = found && storedOf(found);
  if (!view || !mayRead(reader, view)) throw new NotFoundError({});
  const type = app.model.contentTypes.get(view.contentType);
  if (!type || !isShown(type) || !request.actor.ability.can(`${type.uid}.find`)) throw new NotFoundError({});
  if (!mayEdit(reader, view)) throw new ForbiddenError({});
  return { type, reader, view };
}

/** What is shared is the team's: also its owner changes it only while they may share. */
const mayEdit = (reader: Reader, view: StoredView): boolean =>
  view.isShared ? reader.shares : view.account === reader.account;

const mayRead = (reader: Reader, view: StoredView): boolean =>
  view.account === reader.account || (view.isShared && (reader.shares || view.roles.includes(reader.role)));

/**
 * Runs the write of a view that names roles, in a transaction: a deletion or another name of one of them finds the view. Before the
 * owner is locked, as where an account is deleted.
 */
function keepingRoles<Result>(
  app: App,
  named: readonly string[] | undefined,
  write: () => Promise<Result>,
): Promise<Result> {
  return app.db.transaction(async () => {
    if (named && named.length > 0) await app.db.query(lockStatement([ROLES_LOCK], "shared"));
    return await write();
  });
}

/** A view that was shared, and is its owner's alone from now on. @throws PLINTH_ADMIN_INVALID (400) where the owner is deleted */
async function assertOwner(app: App, { account }: StoredView): Promise<void> {
  if (await app.documents(ADMINISTRATOR_TYPE).lock(account, "shared")) return;
  throw invalidRequest([{ path: "roles", message: "must name a role: the owner of the view is deleted" }]);
}

/** Checks what is written, and adds what follows from it; in the transaction that writes it. */
async function checked(
  app: App,
  { actor }: RequestInfo,
  { type, reader }: ListOf,
  { state, roles: named, ...rest }: v.InferOutput<typeof viewChanges>,
) {
  if (state) {
    if (Buffer.byteLength(JSON.stringify(state)) > MAX_BYTES) throw new ViewTooLargeError({ maximum: MAX_BYTES });
    assertState({ app, type, ability: actor.ability }, state as ViewState);
  }
  if (named === undefined) return { ...rest, ...(state ? { state } : {}) };
  if (named.length > 0 && !reader.shares) throw new ForbiddenError({});
  const known = named.length > 0 ? await app.service(roles).names() : [];
  const errors = named
    .filter((role) => !known.includes(role))
    .map((role) => ({ path: "roles", message: `has no role "${role}"` }));
  if (errors.length > 0) throw invalidRequest(errors);
  return { ...rest, ...(state ? { state } : {}), roles: [...new Set(named)], isShared: named.length > 0 };
}

async function readerOf(app: App, request: RequestInfo): Promise<Reader> {
  const account = accountOf(request);
  const found = await app.documents(ADMINISTRATOR_TYPE).findOne({ documentId: account, fields: ["role"] });
  return { account, role: String(found?.["role"]), shares: request.actor.ability.can(SHARE) };
}

async function viewsOf(
  app: App,
  { actor: { ability } }: RequestInfo,
  { type, reader }: ListOf,
  views: readonly StoredView[],
): Promise<readonly SavedView[]> {
  const owners = await app.service(names).people(views.map(({ account }) => account));
  return views.map((view) => {
    const isEditable = mayEdit(reader, view);
    return {
      ...{ id: view.documentId, name: view.name, isOwn: view.account === reader.account, isEditable },
      ...{ isShared: view.isShared, roles: isEditable ? view.roles : [], owner: owners.get(view.account) ?? null },
      ...readableState({ app, type, ability }, view.state),
    };
  });
}

const storedOf = (view: Document): StoredView => view as unknown as StoredView;
