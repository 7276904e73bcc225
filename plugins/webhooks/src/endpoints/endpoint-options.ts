import type { App } from "@plinth/core";
import { subjectOf } from "@plinth/plugin-events";
import type { WebhooksConfig } from "../config.js";
import type { EndpointOptions } from "../contract.js";

const VERBS = ["create", "update", "delete"] as const;
const VERBS_WITH_DRAFTS = [...VERBS, "publish", "unpublish", "draft-discard"] as const;

/** What endpoints may ask for: the events of the content-types that there are. */
export function endpointOptions({ model }: App, { http }: WebhooksConfig): EndpointOptions {
  const types = [...model.contentTypes.values()].flatMap((type) => {
    const subject = subjectOf(model, type);
    return subject === undefined ? [] : [{ type, subject }];
  });
  const events = types.flatMap(({ type, subject }) =>
    (type.hasDrafts ? VERBS_WITH_DRAFTS : VERBS).map((verb) => `${subject}.${verb}`),
  );
  return {
    events: [...new Set(events)].sort(bySubject),
    types: types.map(({ type: { uid, displayName } }) => ({ uid, name: displayName })),
    http,
  };
}

/** Of one subject in the order of what happens to a document. */
function bySubject(one: string, other: string): number {
  const [subject = "", verb = ""] = one.split(".");
  const [otherSubject = "", otherVerb = ""] = other.split(".");
  const order = (name: string) => (VERBS_WITH_DRAFTS as readonly string[]).indexOf(name);
  return subject.localeCompare(otherSubject) || order(verb) - order(otherVerb);
}
