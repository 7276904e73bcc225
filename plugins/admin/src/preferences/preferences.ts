import { type App, isPlinthError } from "@plinth/core";
import type { EndpointAnswer, RequestInfo } from "@plinth/core/http";
import * as v from "@plinth/core/valibot";
import { withAdministrator } from "../access/with-administrator.js";
import { invalidRequest, readBody } from "../content/request-body.js";
import { PREFERENCE_TYPE } from "../content-types/preference.js";
import { accountOf } from "../working-copies/working-copies.js";
import type { Preference } from "../wire/views.js";
import { PreferenceTooLargeError, TooManyPreferencesError } from "./errors.js";

/** Preferences that an account may have. */
const MOST = 500;

/** Bytes of JSON of one. */
const MAX_BYTES = 16 * 1024;

const NAME = /^[a-z][\w.:-]{0,199}$/i;

/** Body of a preference; null removes it. */
export const preferenceBody = v.strictObject({ value: v.unknown() });

/** `GET /admin/api/preferences/:key`; null for none, because browsers log 404 as an error. */
export async function getPreference(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const { key } = placeOf(request);
  const found = await app.documents(PREFERENCE_TYPE).findFirst({ filters: { key }, withPrivate: true });
  const { value } = (found?.["kept"] ?? { value: null }) as Preference;
  return { status: 200, body: { value } satisfies Preference };
}

/** `PUT /admin/api/preferences/:key`. @throws PLINTH_ACCESS_UNAUTHENTICATED (401) for an account that is deleted */
export async function putPreference(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const place = placeOf(request);
  const { value } = readBody(preferenceBody, request);
  if (value === undefined) throw invalidRequest([{ path: "value", message: "is missing; null removes it" }]);
  if (Buffer.byteLength(JSON.stringify(value)) > MAX_BYTES) throw new PreferenceTooLargeError({ maximum: MAX_BYTES });
  if (value === null) await remove(app, place);
  else if (!(await update(app, place, value)))
    await withAdministrator(app, place.account, () => create(app, place, value));
  return { status: 200, body: { value } satisfies Preference };
}

/** A preference of an account. */
interface Place {
  readonly key: string;
  readonly account: string;
  readonly name: string;
}

/** @throws PLINTH_ADMIN_INVALID (400), PLINTH_ACCESS_FORBIDDEN (403) for callers without an account */
function placeOf(request: RequestInfo): Place {
  const { key: name = "" } = request.params;
  if (!NAME.test(name))
    throw invalidRequest([{ path: "key", message: "must begin with a letter, and have letters, digits and _ . : -" }]);
  const account = accountOf(request);
  return { key: `${account} ${name}`, account, name };
}

async function update(app: App, { key }: Place, value: unknown): Promise<boolean> {
  const documents = app.documents(PREFERENCE_TYPE);
  const found = await documents.findFirst({ filters: { key }, fields: ["documentId"], withPrivate: true });
  if (!found) return false;
  return (await documents.update({ documentId: found.documentId, data: { kept: { value } } })) !== null;
}

/** Two tabs that save at once both find none. */
async function create(app: App, place: Place, value: unknown): Promise<void> {
  const documents = app.documents(PREFERENCE_TYPE);
  if ((await documents.count({ filters: { account: place.account }, withPrivate: true })) >= MOST)
    throw new TooManyPreferencesError({ maximum: MOST });
  try {
    await documents.create({ data: { ...place, kept: { value } } });
  } catch (error) {
    const isThere = isPlinthError(error) && error.code === "PLINTH_DOCUMENT_NOT_UNIQUE";
    if (!isThere || !(await update(app, place, value))) throw error;
  }
}

async function remove(app: App, { key }: Place): Promise<void> {
  const documents = app.documents(PREFERENCE_TYPE);
  const found = await documents.findFirst({ filters: { key }, fields: ["documentId"], withPrivate: true });
  if (found) await documents.delete({ documentId: found.documentId });
}
