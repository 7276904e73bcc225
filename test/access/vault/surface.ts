import type { Vault } from "./vault-app.js";

/** Answers by question. */
export type Answers = ReadonlyMap<string, unknown>;

/** What somebody is told of without asking again. */
export interface Watch {
  /** All that came so far. */
  readonly heard: readonly string[];
  close(): void;
}

/**
 * A way beside reads in which an app tells of its content. Who joins the list of surfaces.ts is asked everything by those who do not
 * see all, in worlds that only differ in what they do not see: answers, and how many there are, have to be the same.
 */
export interface Surface {
  readonly name: string;
  /** Makes what it tells of, as code that may do everything; called again after a change, when there is more of what is hidden. */
  prepare?(vault: Vault, isChanged: boolean): Promise<void>;
  /** Asks everything that can be asked. */
  ask(vault: Vault, token: string): Promise<Answers>;
  /** Opens what stays open, by question. */
  watch?(vault: Vault, token: string): Promise<ReadonlyMap<string, Watch>>;
}
