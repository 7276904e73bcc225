import { noList, text } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";

/** The longest name and description of a role. */
const MAX_LENGTH = 255;

const name = v.pipe(text(), v.maxLength(MAX_LENGTH));
const description = v.nullable(v.pipe(v.string(), v.maxLength(MAX_LENGTH)));
const actions = v.array(v.string());

/** The body that makes a role of end users. */
export const newUserRoleBody = noList(
  v.strictObject({ name, description: v.optional(description), grant: v.optional(actions) }),
);

/** The body that changes one: what is named changes. */
export const userRoleBody = noList(
  v.strictObject({
    name: v.optional(name),
    description: v.optional(description),
    grant: v.optional(actions),
    revoke: v.optional(actions),
  }),
);
