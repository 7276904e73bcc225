import type { KernelParts } from "./parts.js";
import type { Plugin } from "./plugin.js";
import { FIELD_KINDS, qualify } from "./registries.js";

/**
 * Puts what a plugin's definition lists where it belongs, and makes its extensions.
 *
 * @throws PLINTH_REGISTRY_DUPLICATE
 */
export function declarePlugin({ name: owner, definition }: Plugin, parts: KernelParts): void {
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
