import { PluginKeyError } from "./errors.js";
import type { KernelParts } from "./parts.js";

import type { Plugin, PluginDefinition } from "./plugin.js";
import { FIELD_KINDS, qualify } from "./registries.js";

/**
 * Puts what a plugin's definition lists where it belongs, and makes its extensions.
 *
 * @throws PLINTH_REGISTRY_DUPLICATE, PLINTH_PLUGIN_UNKNOWN_KEY
 */
export function declarePlugin({ name: owner, definition }: Plugin, parts: KernelParts): void {
  assertKeys(owner, definition);
  for (const target of definition.hooks ?? []) parts.hooks.declare(target, owner);
  for (const service of definition.services ?? []) parts.services.add(service, owner);
  for (const { uid, create } of definition.extensions ?? []) {
    parts.extensions.add(uid, create(parts.contextOf(owner)), owner);
  }
  for (const [field, kind] of Object.entries(FIELD_KINDS)) {
    const registry = parts.registries.of<string>(kind);
    const things: Readonly<Record<string, unknown>> = Object(definition[field as keyof typeof FIELD_KINDS]);
    for (const [name, thing] of Object.entries(things)) registry.add(qualify(owner, kind, name), thing, owner);
  }
}

const OTHER_KEYS: Readonly<Record<Exclude<keyof PluginDefinition<object>, keyof typeof FIELD_KINDS>, true>> = {
  name: true,
  dependsOn: true,
  after: true,
  config: true,
  services: true,
  extensions: true,
  hooks: true,
  register: true,
  bootstrap: true,
  destroy: true,
};

/** An unknown key is a misspelt one: a `bootstap` would never run. */
function assertKeys(plugin: string, definition: object): void {
  const known = [...Object.keys(OTHER_KEYS), ...Object.keys(FIELD_KINDS)];
  const unknown = Object.keys(definition).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new PluginKeyError({ plugin, key: unknown, known });
}
