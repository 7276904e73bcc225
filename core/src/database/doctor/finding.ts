/** How grave a finding is: with an `error` the command ends with 1. */
export type Weight = "error" | "warning" | "hint";

/** What is wrong with a database, or could be better. */
export interface Finding {
  readonly weight: Weight;
  /** `missing index`, `wrong total`: the same for all findings of a kind. */
  readonly kind: string;
  /** A table, an index, an attribute (`api::article.article views`), a server or a setting. */
  readonly where: string;
  readonly what: string;
  readonly advice: string;
}

const WEIGHTS: readonly Weight[] = ["error", "warning", "hint"];

/** Findings with the gravest first, else in their order. */
export const byWeight = (findings: readonly Finding[]): readonly Finding[] =>
  [...findings].sort((one, other) => WEIGHTS.indexOf(one.weight) - WEIGHTS.indexOf(other.weight));
