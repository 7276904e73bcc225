import { type App, isPlinthError } from "@plinth/core";
import { parseOptions } from "@plinth/core/options";
import type { WebhooksConfig } from "../config.js";
import type { EndpointValues } from "../contract.js";
import { type EndpointProblem, InvalidEndpointError, InvalidWebhooksConfigError } from "../errors.js";
import { AddressRules } from "../requests/address-rules.js";
import { type EndpointsConfig, endpointsConfig, newEndpointBody } from "./endpoint-schema.js";

/** Checks what somebody writes of endpoints. */
export class EndpointCheck {
  constructor(
    private readonly app: Pick<App, "model" | "config">,
    private readonly config: WebhooksConfig,
  ) {}

  /**
   * The whole of an endpoint: after a change, the new values with those that stay.
   *
   * @throws PLINTH_WEBHOOKS_INVALID (400) details `{ errors: [{ path, message }] }`, all at once
   */
  assertValues(values: Partial<EndpointValues>): EndpointValues {
    const { value, problems = [] } = parseOptions(newEndpointBody, values, "");
    const errors = [...problems, ...this.#problemsOf(values)];
    if (errors.length > 0 || value === undefined) throw new InvalidEndpointError({ errors });
    return value as EndpointValues;
  }

  /** The endpoints of config/webhooks. @throws PLINTH_WEBHOOKS_CONFIG_INVALID (500) */
  endpointsOfConfig(): EndpointsConfig {
    const { value, problems = [] } = parseOptions(endpointsConfig, this.app.config.get("webhooks"), "config/webhooks");
    const others = Object.entries(value ?? {}).flatMap(([name, each]) =>
      this.#problemsOf(each as Partial<EndpointValues>).map(({ path, message }) => ({
        ...{ path: `config/webhooks.${name}.${path}`, message },
      })),
    );
    const all = [...problems, ...others].map(({ path, message }) => `${path} ${message}`);
    if (all.length > 0 || value === undefined) throw new InvalidWebhooksConfigError({ problems: all });
    return value;
  }

  #problemsOf({ url, types }: Partial<EndpointValues>): readonly EndpointProblem[] {
    const unknown = (Array.isArray(types) ? types : []).filter((uid) => !this.app.model.contentTypes.has(uid));
    const message = typeof url === "string" ? this.problemOfUrl(url) : undefined;
    return [
      ...(message === undefined ? [] : [{ path: "url", message }]),
      ...unknown.map((uid) => ({ path: "types", message: `name a content-type that there is not: ${uid}` })),
    ];
  }

  /** What is wrong with the address of an endpoint; undefined: nothing. */
  problemOfUrl(text: string): string | undefined {
    if (!URL.canParse(text)) return "must be an address, such as https://example.com/hooks";
    const url = new URL(text);
    const isSafe = url.protocol === "https:" || (this.config.http && url.protocol === "http:");
    if (!isSafe) return this.config.http ? "must begin with https: or http:" : "must begin with https:";
    if (url.username !== "" || url.password !== "") return "must have no credentials in it: use headers";
    return this.config.sendTo === undefined ? problemOfHost(url, this.config.allow) : undefined;
  }
}

/** A name is looked up when something is sent. */
function problemOfHost(url: URL, allow: readonly string[]): string | undefined {
  try {
    new AddressRules(allow).assertHost(url);
    return undefined;
  } catch (error) {
    if (isPlinthError(error)) return "must be a public address, or one that the plugin allows";
    throw error;
  }
}
