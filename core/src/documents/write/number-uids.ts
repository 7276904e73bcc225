import { lockStatement } from "../../database/driver/database.js";
import type { ScalarAttribute } from "../../schema/model.js";
import { shorten } from "../input/generate-uid.js";
import type { WriteInput } from "../input.js";
import type { NewRow } from "./change-row.js";
import type { WritePlan } from "../../database/writes/write-plan.js";
import type { WriteScope } from "./write-scope.js";

const FIRST_TRIES = 10;
const MOST_TRIES = 1000;

/**
 * Gives each uid that the server generated its first free form: `summer`, `summer-1`, `summer-2`. Drafts count as
 * well as published rows, so that both documents can be published later. A uid from the client is left as it is.
 */
export async function numberUids(
  scope: WriteScope,
  plan: WritePlan,
  input: WriteInput,
  place: NewRow,
): Promise<WriteInput> {
  if (input.generated.size === 0) return input;
  const scalars = new Map(input.scalars);
  for (const name of input.generated) {
    scope.generated.add(name);
    scalars.set(name, await freeUid(scope, plan, { name, base: String(input.scalars.get(name)), ...place }));
  }
  return { ...input, scalars };
}

interface GeneratedUid extends NewRow {
  readonly name: string;
  readonly base: string;
}

async function freeUid({ db }: WriteScope, plan: WritePlan, uid: GeneratedUid): Promise<string> {
  const { name, base, locale, documentId } = uid;
  const { maxLength } = plan.type.attributes.get(name) as ScalarAttribute;
  const text = plan.sql.takenUids.get(name) as string;
  // Writes of the same generated uid wait for each other here until their transactions end.
  const lock = lockStatement([`plinth uid ${plan.type.table}.${name} ${locale} ${base}`]);
  let tries = FIRST_TRIES;
  for (let first = 0; ; first += tries, tries = Math.min(tries * 10, MOST_TRIES)) {
    const forms = Array.from({ length: tries }, (_, index) =>
      shorten(base, maxLength, first + index === 0 ? "" : `-${first + index}`),
    );
    // A second statement of the same round trip: it sees what was committed while the first one waited.
    const [, rows] = await db.queryAll([lock, { text, values: [forms, locale, documentId], isPlan: true }]);
    const taken = new Set((rows as { readonly value: string }[]).map(({ value }) => value));
    const free = forms.find((form) => !taken.has(form));
    if (free !== undefined) return free;
  }
}
