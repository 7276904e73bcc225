import { reasonOf } from "../../base/error.js";
import { type StartedProject, TYPES_FILE, writeTypes } from "../types/write-types.js";
import { say } from "./terminal.js";

/** Updates the generated types of a running project; the app serves even if the file cannot be written. */
export async function writeTypesForCompiler(project: StartedProject): Promise<void> {
  try {
    if (await writeTypes(project)) say(`wrote ${TYPES_FILE}`);
  } catch (error) {
    say(`${TYPES_FILE} cannot be written: ${reasonOf(error)}`);
  }
}
