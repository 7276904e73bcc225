import { createError, describeKnown } from "@plinth/core";

/** The configuration of the plugin, or config/webhooks, cannot be used. */
export const InvalidWebhooksConfigError = createError<{ problems: readonly string[] }>(
  "PLINTH_WEBHOOKS_CONFIG_INVALID",
  500,
  (d) => `The configuration of webhooks cannot be used: ${d.problems.join("; ")}.`,
  {
    cause: "A key of `webhooks` in config/plugins, or of config/webhooks, is unknown, or its value has the wrong form.",
    remedy: "Correct each problem that the message lists.",
  },
);

/** One problem of an endpoint. */
export interface EndpointProblem {
  /** Attribute, dotted: `headers.authorization`. */
  readonly path: string;
  readonly message: string;
}

/** An endpoint cannot be made or changed as requested; every problem at once. */
export const InvalidEndpointError = createError<{ errors: readonly EndpointProblem[] }>(
  "PLINTH_WEBHOOKS_INVALID",
  400,
  (d) => d.errors.map(({ path, message }) => `${path} ${message}`).join("; "),
  {
    cause: "A value for making or changing an endpoint of webhooks is missing, unknown or invalid.",
    remedy: "Correct each attribute that the message names.",
  },
);

/** An endpoint that stands in the configuration is changed elsewhere. */
export const EndpointInConfigError = createError<{ endpoint: string }>(
  "PLINTH_WEBHOOKS_IN_CONFIG",
  409,
  (d) => `The endpoint "${d.endpoint}" stands in config/webhooks: change it there.`,
  {
    cause: "An endpoint of config/webhooks was to be changed or removed by a request, a command or code.",
    remedy:
      'Change config/webhooks and deploy it. What can be asked for is `{ "enabled": true }`, after it was disabled because of its failures.',
  },
);

/** There is no such endpoint. */
export const EndpointUnknownError = createError<{ endpoint: string; known: readonly string[] }>(
  "PLINTH_WEBHOOKS_UNKNOWN",
  404,
  (d) => `There is no endpoint "${d.endpoint}". ${describeKnown(d.endpoint, d.known)}`,
  {
    cause: "A command or code names an endpoint of webhooks that does not exist.",
    remedy: "Look at `plinth webhooks endpoints`.",
  },
);

/** Deliveries are asked for in a way that says nothing, or nothing that can be. */
export const InvalidSelectionError = createError<{ reason: string }>(
  "PLINTH_WEBHOOKS_SELECTION_INVALID",
  400,
  (d) => `The deliveries cannot be chosen: ${d.reason}.`,
  {
    cause:
      "A state, a time or an event has the wrong form, or nothing says which deliveries are to be sent again or dropped.",
    remedy: "Say --since, --event or --endpoint; a time is 90m, 12h, 3d or a date.",
  },
);

/** An address that nothing is sent to. */
export const AddressRefusedError = createError<{ host: string; address: string }>(
  "PLINTH_WEBHOOKS_ADDRESS_REFUSED",
  500,
  (d) =>
    d.host === d.address
      ? `Nothing is sent to ${d.address}, which is not a public address.`
      : `Nothing is sent to ${d.host}: it leads to ${d.address}, which is not a public address.`,
  {
    cause:
      "The name of an endpoint leads to a private address, one of this machine or of the cloud's metadata, or the endpoint names it itself.",
    remedy: 'Correct its url; where it is meant, allow the network: `allow: ["10.1.0.0/16"]` of the plugin.',
  },
);
