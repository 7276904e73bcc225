import type { DeliveryFilter, DeliveryState } from "../contract.js";

/** Which deliveries; `endpoint` is an id, `event` a number. */
export interface StoredFilter extends Omit<DeliveryFilter, "event"> {
  readonly event?: number | undefined;
}

/** As texts, so that an index of those in one state fits. */
const OF_STATE: Readonly<Record<DeliveryState, string>> = {
  waiting: "d.state = 'waiting'",
  delivered: "d.state = 'delivered'",
  dead: "d.state = 'dead'",
  dropped: "d.state = 'dropped'",
};

/** The conditions of a filter on a table `d`, and their values: only what is given, so that the database finds an index for it. */
export function conditionsOf({ endpoint, event, since, state }: StoredFilter): {
  readonly text: string;
  readonly values: readonly unknown[];
} {
  const given = [
    ["d.endpoint =", endpoint],
    ["d.event =", event],
    ["d.at >=", since],
  ].filter(([, value]) => value !== undefined);
  const conditions = given.map(([condition], index) => `${condition} $${index + 1}`);
  if (state !== undefined) conditions.push(OF_STATE[state]);
  return { text: conditions.join(" and ") || "true", values: given.map(([, value]) => value) };
}
