import { describeKnown } from "@plinth/core";
import type { Component, ContentModel, ContentType } from "@plinth/core/schema";
import type { ShadowAction, ShadowField, ShadowType } from "../contract.js";
import type { ShadowRules } from "../plan.js";

const ACTIONS: readonly ShadowAction[] = ["find", "findOne", "create", "update", "delete"];
const SINGLE_ACTIONS: readonly ShadowAction[] = ["find", "update", "delete"];

type Part = "output" | "input" | "filters";
const PARTS: readonly Part[] = ["output", "input", "filters"];

interface FieldSwitches {
  readonly off: Set<Part>;
  readonly handle: ShadowField;
}

interface TypeSwitches {
  /** The parts of the type that are off. */
  readonly off: Set<"type" | "queries" | "mutations">;
  readonly actionsOff: Set<string>;
  readonly fields: Map<string, FieldSwitches>;
  readonly handle: ShadowType;
}

/**
 * The parts of the generated schema that extensions switched off. Nothing is checked while it is filled; see problems.
 */
export class ShadowCrud {
  readonly #types = new Map<string, TypeSwitches>();

  /** @param assertOpen - throws once the schema is made; asked before every change. */
  constructor(private readonly assertOpen: (call: string) => void) {}

  /** The settings of one content-type or component; the same object at every call. */
  type(uid: string): ShadowType {
    return this.#switchesOf(uid).handle;
  }

  /** What the generator asks. */
  rules(isGenerated: boolean): ShadowRules {
    return {
      type: (uid) => {
        const type = this.#switchesOf(uid).handle;
        return {
          isEnabled: isGenerated && type.isEnabled(),
          areQueriesEnabled: type.areQueriesEnabled(),
          areMutationsEnabled: type.areMutationsEnabled(),
          isActionEnabled: (action) => type.isActionEnabled(action),
        };
      },
      field: (uid, name) => {
        const off = this.#types.get(uid)?.fields.get(name)?.off;
        return { hasOutput: !off?.has("output"), hasInput: !off?.has("input"), hasFilters: !off?.has("filters") };
      },
    };
  }

  /** Whether some field cannot be filtered by. */
  get hidesFilters(): boolean {
    return [...this.#types.values()].some(
      ({ off, fields }) => off.has("type") || [...fields.values()].some((field) => field.off.has("filters")),
    );
  }

  /** Settings of content-types, fields and actions that do not exist. */
  problems({ contentTypes, components }: ContentModel): readonly string[] {
    const known = [...contentTypes.keys(), ...components.keys()];
    return [...this.#types].flatMap(([uid, { fields, actionsOff }]) => {
      const shape = contentTypes.get(uid) ?? components.get(uid);
      if (!shape) return [`shadowCRUD("${uid}"): there is no such content-type. ${describeKnown(uid, known)}`];
      return [...problemsOfFields(shape, [...fields.keys()]), ...problemsOfActions(shape, [...actionsOff])];
    });
  }

  #switchesOf(uid: string): TypeSwitches {
    const known = this.#types.get(uid);
    if (known) return known;
    const off: TypeSwitches["off"] = new Set();
    const actionsOff = new Set<string>();
    const fields = new Map<string, FieldSwitches>();
    const handle = createTypeHandle(
      { off, actionsOff },
      (name) => this.#fieldOf(fields, uid, name),
      (call) => this.assertOpen(`shadowCRUD("${uid}").${call}`),
    );
    const made = { off, actionsOff, fields, handle };
    this.#types.set(uid, made);
    return made;
  }

  #fieldOf(fields: Map<string, FieldSwitches>, uid: string, name: string): ShadowField {
    const known = fields.get(name);
    if (known) return known.handle;
    const off = new Set<Part>();
    const handle = createFieldHandle(off, (call) => this.assertOpen(`shadowCRUD("${uid}").field("${name}").${call}`));
    fields.set(name, { off, handle });
    return handle;
  }
}

function createTypeHandle(
  { off, actionsOff }: Pick<TypeSwitches, "off" | "actionsOff">,
  field: (name: string) => ShadowField,
  assertOpen: (call: string) => void,
): ShadowType {
  const change = (call: string, apply: () => unknown): ShadowType => {
    assertOpen(call);
    apply();
    return handle;
  };
  const isOn = (part: "queries" | "mutations") => !off.has("type") && !off.has(part);
  const isAction = (action: ShadowAction) => !off.has("type") && !actionsOff.has(action);
  const handle: ShadowType = {
    disable: () => change("disable()", () => off.add("type")),
    disableQueries: () => change("disableQueries()", () => off.add("queries")),
    disableMutations: () => change("disableMutations()", () => off.add("mutations")),
    disableAction: (action) => change("disableAction()", () => actionsOff.add(action)),
    disableActions: (actions) =>
      change("disableActions()", () => {
        for (const action of actions) actionsOff.add(action);
      }),
    field,
    isEnabled: () => !off.has("type"),
    isDisabled: () => off.has("type"),
    areQueriesEnabled: () => isOn("queries"),
    areQueriesDisabled: () => !isOn("queries"),
    areMutationsEnabled: () => isOn("mutations"),
    areMutationsDisabled: () => !isOn("mutations"),
    isActionEnabled: isAction,
    isActionDisabled: (action) => !isAction(action),
  };
  return handle;
}

function createFieldHandle(off: Set<Part>, assertOpen: (call: string) => void): ShadowField {
  const disable = (call: string, parts: readonly Part[]): ShadowField => {
    assertOpen(call);
    for (const part of parts) off.add(part);
    return handle;
  };
  const handle: ShadowField = {
    disable: () => disable("disable()", PARTS),
    disableOutput: () => disable("disableOutput()", ["output"]),
    disableInput: () => disable("disableInput()", ["input"]),
    disableFilters: () => disable("disableFilters()", ["filters"]),
    isEnabled: () => off.size < PARTS.length,
    isDisabled: () => off.size === PARTS.length,
    hasOutputEnabled: () => !off.has("output"),
    hasInputEnabled: () => !off.has("input"),
    hasFiltersEnabled: () => !off.has("filters"),
  };
  return handle;
}

function problemsOfFields(shape: ContentType | Component, names: readonly string[]): readonly string[] {
  const known = [...shape.attributes.keys(), ...("systemFields" in shape ? shape.systemFields.keys() : [])];
  return names
    .filter((name) => !known.includes(name))
    .map(
      (name) => `shadowCRUD("${shape.uid}").field("${name}"): there is no such field. ${describeKnown(name, known)}`,
    );
}

function problemsOfActions(shape: ContentType | Component, actions: readonly string[]): readonly string[] {
  const known: readonly string[] =
    shape.shape === "component" ? [] : shape.kind === "singleType" ? SINGLE_ACTIONS : ACTIONS;
  return actions
    .filter((action) => !known.includes(action))
    .map(
      (action) =>
        `shadowCRUD("${shape.uid}").disableAction("${action}"): there is no such action. ${describeKnown(action, known)}`,
    );
}
