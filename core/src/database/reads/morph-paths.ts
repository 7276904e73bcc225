import type { MorphPopulate, Populate, Selection } from "./query.js";

/** A step down into the output: the key, and for items of a zone the component they have to be. */
export interface Step {
  readonly key: string;
  readonly component?: string;
}

/** A polymorphic relation of a selection, and the way to it from the object selected. */
export interface MorphPath {
  readonly steps: readonly Step[];
  readonly populate: MorphPopulate;
}

/** Every polymorphic relation that a selection populates, at any depth. */
export function morphPaths(selection: Selection): readonly MorphPath[] {
  return selection.populate.flatMap(pathsOf);
}

/** Whether a selection populates a polymorphic relation somewhere. Answered once per selection. */
export function hasReferences(selection: Selection): boolean {
  const known = answers.get(selection);
  if (known !== undefined) return known;
  const answer = morphPaths(selection).length > 0;
  answers.set(selection, answer);
  return answer;
}

const answers = new WeakMap<Selection, boolean>();

function pathsOf(populate: Populate): MorphPath[] {
  const key = populate.alias ?? populate.field;
  switch (populate.kind) {
    case "count":
      return [];
    case "morph":
      return [{ steps: [{ key }], populate }];
    case "zone":
      return populate.items.flatMap(({ component, selection }) => below({ key, component }, selection));
    default:
      return below({ key }, populate.selection);
  }
}

function below(step: Step, selection: Selection): MorphPath[] {
  return morphPaths(selection).map(({ steps, populate }) => ({ steps: [step, ...steps], populate }));
}
