import { unlimited } from "../../access/ability.js";
import type { CreateParams } from "../documents.js";
import type { WriteInput } from "../input.js";
import { parseInput } from "../input/parse-input.js";
import { type ParsedBody, setOf, type WriteParts } from "./write-steps.js";

/**
 * The body of an update that starts a locale, with what the writer's rule of `create` sets: such a locale is created, and its
 * owner is who writes it. What all locales share is there already and stays; what the rule of `update` sets comes first.
 */
export async function presetLocale(
  { layout, plan, hashPassword }: WriteParts,
  { ability = unlimited }: Pick<CreateParams, "ability">,
  body: ParsedBody,
): Promise<ParsedBody> {
  const { uid, attributes } = plan.type;
  const set = Object.entries(setOf(ability.reachOf(`${uid}.create`)) ?? {}).filter(
    ([name]) => attributes.get(name)?.isLocalized === true && body.input.set?.has(name) !== true,
  );
  if (set.length === 0) return body;
  const data = Object.fromEntries(set);
  const names = new Set(Object.keys(data));
  const options = { mode: "update", hashPassword, visibility: "code", set: names, canFind: () => true } as const;
  const input = await parseInput(layout.model, plan.type, data, options);
  return { data: { ...body.data, ...data }, input: joined(body.input, input, names) };
}

function joined(body: WriteInput, preset: WriteInput, names: ReadonlySet<string>): WriteInput {
  return {
    scalars: new Map([...body.scalars, ...preset.scalars]),
    relations: new Map([...body.relations, ...preset.relations]),
    components: new Map([...body.components, ...preset.components]),
    generated: new Set([...body.generated].filter((name) => !names.has(name))),
    set: new Set([...(body.set ?? []), ...names]),
  };
}
