import { reasonOf } from "../../base/error.js";
import { TypesOutdatedError } from "../errors.js";
import { inspect } from "../inspect.js";
import { print, say } from "../terminal.js";
import { compareTypes, type StartedProject, TYPES_FILE, writeTypes } from "./write-types.js";

/** What to do with the generated types of a project. */
export interface TypesOptions {
  /** Whether they are only compared. */
  readonly check: boolean;
}

/** Writes the generated types of the project in a folder, or only compares them. @throws as updateTypes does */
export async function generateTypes(root: string, options: TypesOptions): Promise<void> {
  const isWritten = await inspect(root, ({ app }, setup) => updateTypes({ setup, app }, options));
  print(isWritten ? `wrote ${TYPES_FILE}` : `${TYPES_FILE} is up to date`);
}

/**
 * Writes the generated types of a project that has started, or only compares them.
 *
 * @returns whether they were written
 * @throws PLINTH_CLI_TYPES_OUTDATED with `check`, when the file is missing or says something else
 */
export async function updateTypes(project: StartedProject, { check }: TypesOptions): Promise<boolean> {
  if (!check) return await writeTypes(project);
  const { isCurrent } = await compareTypes(project);
  if (!isCurrent) throw new TypesOutdatedError({ file: TYPES_FILE });
  return false;
}

/** Updates the generated types of a running project; the app serves even if the file cannot be written. */
export async function writeTypesForCompiler(project: StartedProject): Promise<void> {
  try {
    if (await writeTypes(project)) say(`wrote ${TYPES_FILE}`);
  } catch (error) {
    say(`${TYPES_FILE} cannot be written: ${reasonOf(error)}`);
  }
}
