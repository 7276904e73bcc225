import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { CORE_FOLDER, ownFile } from "../core-package.js";

/** A version of an app, where it lies on the disk. */
export interface Release {
  /** Folder of the project; no part of the path is a symbolic link. */
  readonly folder: string;
  /** What the process of a worker runs: that of this version's own packages. */
  readonly file: string;
}

const FILE = ownFile("cli/workers/worker-process");

/**
 * The folder that this process was started in, by the name that it was entered by: a symbolic link may lead to another version
 * later. Shells say that name in `PWD`, and a unit of systemd can; node and the system know only where it led to.
 *
 * @source https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html, PWD
 */
export function enteredFolder({ PWD }: Readonly<Record<string, string | undefined>>, cwd: string): string {
  return PWD !== undefined && leadsTo(PWD, cwd) ? PWD : cwd;
}

/** The version that a folder, or a symbolic link to one, holds now. @throws the system's error where there is none */
export function releaseIn(name: string): Release {
  const folder = realpathSync(name);
  return { folder, file: join(coreOf(folder), relative(CORE_FOLDER, FILE)) };
}

function leadsTo(name: string, folder: string): boolean {
  try {
    return realpathSync(name) === folder;
  } catch {
    // Inherited from a shell in a folder that is gone.
    return false;
  }
}

/** Without packages of its own, an app is run by what runs this process. */
function coreOf(folder: string): string {
  try {
    return dirname(createRequire(join(folder, "package.json")).resolve("@plinth/core/package.json"));
  } catch {
    return CORE_FOLDER;
  }
}
