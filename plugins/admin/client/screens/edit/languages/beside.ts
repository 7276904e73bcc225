import { createContext, useContext } from "react";
import type { Taken } from "../../../form/transfer.js";
import type { OtherLanguage } from "./other-language.js";

/** What stands beside a form. */
export interface Beside {
  readonly other: OtherLanguage;
  /** Takes values into the form, and says so. @param label - of what is taken */
  readonly take: (taken: readonly Taken[], label: string) => void;
}

const BesideContext = createContext<Beside | undefined>(undefined);

/** Gives the other language to the frames of fields. */
export const BesideProvider = BesideContext.Provider;

/** The language beside the form. */
export function useBeside(): Beside {
  const beside = useContext(BesideContext);
  if (!beside) throw new Error("Nothing stands beside this form.");
  return beside;
}
