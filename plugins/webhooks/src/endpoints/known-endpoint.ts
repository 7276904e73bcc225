import type { Document } from "@plinth/core";
import type { Endpoint, EndpointValues } from "../contract.js";
import type { EndpointProblem } from "../errors.js";
import type { EndpointsConfig } from "./endpoint-schema.js";
import { parseStored } from "./parse-stored.js";

/** An endpoint as deliveries need it. */
export interface KnownEndpoint {
  /** Its documentId, or `config:<name>`. */
  readonly id: string;
  /** For metrics: that of its row, or `c1` of the first in the configuration. */
  readonly number: string;
  readonly source: Endpoint["source"];
  readonly name: string;
  readonly url: string;
  readonly events: readonly string[];
  /** Undefined: all. */
  readonly types: ReadonlySet<string> | undefined;
  readonly secrets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly format: Endpoint["format"];
  readonly hasContent: boolean;
  readonly coalesces: boolean;
  /** Whether who wrote it wants it to get anything. */
  readonly isMeant: boolean;
  /** Whether it does: it is not disabled because of its failures, or of problems. */
  readonly isEnabled: boolean;
  /** The last event before it was made or enabled. */
  readonly start: number;
  readonly failingSince: Date | null;
  readonly disabled: Endpoint["disabled"];
  /** What is wrong with its row, where that was written past the check; it is disabled then. */
  readonly problems: readonly EndpointProblem[];
}

/** What is known of an endpoint beside what somebody wrote. */
export interface EndpointState {
  readonly endpoint: string;
  readonly start: string | null;
  readonly failing_since: Date | null;
  readonly disabled_at: Date | null;
  readonly reason: string | null;
}

const CONFIG = "config:";

/** Whether an id is of an endpoint of the configuration. */
export const isOfConfig = (id: string): boolean => id.startsWith(CONFIG);

/** One of the content-type. */
export function endpointOfDocument(document: Document, state: EndpointState | undefined): KnownEndpoint {
  const { id, documentId, updatedAt } = document as { readonly id: number; readonly documentId: string } & Document;
  const { values, problems } = parseStored(document);
  const isMeant = values.enabled === true;
  return {
    ...{ id: documentId, number: String(id), source: "database" as const, problems },
    ...commonOf(values, state),
    isMeant,
    isEnabled: isMeant && problems.length === 0,
    disabled: isMeant ? disabledFor(problems, String(updatedAt)) : disabledBy(state),
  };
}

/** Those of config/webhooks. They stay disabled until somebody enables them. */
export function endpointsOfConfig(
  config: EndpointsConfig,
  states: ReadonlyMap<string, EndpointState>,
): readonly KnownEndpoint[] {
  return Object.entries(config).map(([name, { enabled, ...values }], index) => {
    const id = `${CONFIG}${name}`;
    const state = states.get(id);
    const disabled = disabledBy(state);
    const own = { id, number: `c${index + 1}`, source: "config" as const, problems: [] };
    return {
      ...own,
      ...commonOf({ name, ...values }, state),
      isMeant: enabled,
      isEnabled: enabled && !disabled,
      disabled,
    };
  });
}

function commonOf(values: EndpointValues, state: EndpointState | undefined) {
  const { name, url, events, types, secrets, headers, format = "standard", content, coalesce } = values;
  return {
    ...{ name, url, events, format, secrets: secrets ?? [], headers: headers ?? {} },
    types: types ? new Set(types) : undefined,
    hasContent: content === true || format === "strapi",
    coalesces: coalesce === true,
    start: Number(state?.start ?? 0),
    failingSince: state?.failing_since ?? null,
  };
}

function disabledBy(state: EndpointState | undefined): Endpoint["disabled"] {
  if (!state?.disabled_at) return null;
  return { at: state.disabled_at.toISOString(), reason: state.reason ?? "" };
}

function disabledFor(problems: readonly EndpointProblem[], at: string): Endpoint["disabled"] {
  if (problems.length === 0) return null;
  return { at, reason: `it cannot be used: ${problems.map(({ path, message }) => `${path} ${message}`).join("; ")}` };
}

/** As administrators see it: named one by one, so that no secret can get out. */
export function viewOf(endpoint: KnownEndpoint): Endpoint {
  const { id, source, name, url, events, types, headers, format, failingSince, disabled } = endpoint;
  return {
    ...{ documentId: id, source, name, url, events, types: types ? [...types] : null },
    ...{ headers: Object.keys(headers), format, content: endpoint.hasContent, coalesce: endpoint.coalesces },
    ...{ enabled: endpoint.isEnabled, failingSince: failingSince?.toISOString() ?? null, disabled },
  };
}
