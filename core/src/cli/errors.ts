import { createError } from "../base/error.js";
import { describeKnown } from "../base/suggest.js";

/** `start` found nothing to run. */
export const NotBuiltError = createError<{ directory: string }>(
  "PLINTH_CLI_NOT_BUILT",
  500,
  ({ directory }) =>
    `${directory} holds no built code; run \`plinth build\` first, or \`plinth develop\` to run the sources.`,
  {
    cause: "`plinth start` runs the code of dist/, and the project was not built.",
    remedy: "Run `plinth build`, then `plinth start`.",
  },
);

/** The compiler refused the project's code. */
export const BuildFailedError = createError<{ project: string; exitCode: number }>(
  "PLINTH_CLI_BUILD_FAILED",
  500,
  ({ project, exitCode }) => `TypeScript refused ${project} (exit code ${exitCode}); what is wrong is printed above.`,
  { cause: "The code of the project does not compile.", remedy: "Fix the lines that the compiler names." },
);

/** Something that a command starts is not installed. */
export const ToolMissingError = createError<{ tool: string; directory: string }>(
  "PLINTH_CLI_TOOL_MISSING",
  500,
  ({ tool, directory }) => `${tool} is not installed in ${directory}; run \`npm install\` there.`,
  {
    cause: "A package that the command needs is not in the project's node_modules.",
    remedy: "Run `npm install`, with `--save-dev` and the name of the package if package.json does not list it.",
  },
);

/** A new app would be mixed with what is there. */
export const FolderNotEmptyError = createError<{ directory: string; found: readonly string[] }>(
  "PLINTH_CLI_FOLDER_NOT_EMPTY",
  500,
  ({ directory, found }) =>
    `${directory} is not empty (${found.slice(0, 5).join(", ")}${found.length > 5 ? ", ..." : ""}); name a folder that is empty or not there.`,
  { cause: "`plinth new` was given a folder with something in it.", remedy: "Name another folder." },
);

/** The packages of a checkout could not be packed for a new app. */
export const PackFailedError = createError<{ checkout: string; exitCode: number; output: string }>(
  "PLINTH_CLI_PACK_FAILED",
  500,
  ({ checkout, exitCode, output }) =>
    `npm pack failed in ${checkout} (exit code ${exitCode}), and nothing was created. npm says:\n${output.trim()}`,
  {
    cause: "`plinth new` runs from a clone, and npm could not pack the clone's packages for the new app.",
    remedy: "Read what npm printed; `npm start` in the clone installs and builds what is missing.",
  },
);

/** Installing the packages of a new app failed. */
export const InstallFailedError = createError<{ directory: string; exitCode: number }>(
  "PLINTH_CLI_INSTALL_FAILED",
  500,
  ({ directory, exitCode }) =>
    `npm install failed in ${directory} (exit code ${exitCode}); the files are complete: fix what npm reports and run npm install there.`,
  {
    cause: "npm could not install the packages of the new app.",
    remedy: "Look at what npm printed, then run `npm install` in the folder.",
  },
);

/** A name for something new cannot be used. */
export const InvalidNameError = createError<{ name: string; what: string; suggestion: string }>(
  "PLINTH_CLI_INVALID_NAME",
  500,
  ({ name, what, suggestion }) =>
    `"${name}" cannot name ${what}: write small letters, digits and hyphens, such as "${suggestion}".`,
  {
    cause: "A name is not kebab-case, or a component's name lacks its category.",
    remedy: "Use the name that the message suggests.",
  },
);

/** Something was to be put into an api or a plugin that is not there. */
export const OwnerUnknownError = createError<{ kind: "api" | "plugin"; name: string; known: readonly string[] }>(
  "PLINTH_CLI_OWNER_UNKNOWN",
  500,
  ({ kind, name, known }) => `There is no ${kind} "${name}" in this project. ${describeKnown(name, known)}`,
  {
    cause: "--api or --plugin names a folder of src/api or src/plugins that does not exist.",
    remedy: "Fix the name, or generate the api or the plugin first.",
  },
);

/** An attribute on the command line cannot be understood. */
export const InvalidAttributeError = createError<{ attribute: string; reason: string }>(
  "PLINTH_CLI_INVALID_ATTRIBUTE",
  500,
  ({ attribute, reason }) => `--attributes: "${attribute}" ${reason}`,
  {
    cause: "A part of --attributes is not `name:type`.",
    remedy:
      "Write `--attributes title:string,body:richtext`; add relations, components and enumerations in the schema file.",
  },
);

/** A generator would write over a file. */
export const FileExistsError = createError<{ files: readonly string[] }>(
  "PLINTH_CLI_FILE_EXISTS",
  500,
  ({ files }) => `Nothing was written, because there is already ${files.join(" and ")}.`,
  {
    cause: "A generator was asked for something that exists; it never writes over a file.",
    remedy: "Choose another name, or remove the file.",
  },
);

/** `types --check` found another file than it would write. */
export const TypesOutdatedError = createError<{ file: string }>(
  "PLINTH_CLI_TYPES_OUTDATED",
  500,
  ({ file }) => `${file} does not match the content-types; run \`plinth types\` and commit the file.`,
  {
    cause: "A content-type, route or configuration file changed after the types were written.",
    remedy: "Run `plinth types`, or `plinth develop`, and commit the file.",
  },
);

/** `schema` was asked for what the project does not have. */
export const TypeUnknownError = createError<{ uid: string; known: readonly string[] }>(
  "PLINTH_CLI_TYPE_UNKNOWN",
  500,
  ({ uid, known }) => `There is no content-type or component "${uid}". ${describeKnown(uid, known)}`,
  {
    cause: "`plinth schema` was given a name that is neither a uid of the project nor one of its commands.",
    remedy: "Fix the name, or leave it out for all of them.",
  },
);

/** `--workers` is not a number of processes. */
export const InvalidWorkersError = createError<{ given: string; most: number }>(
  "PLINTH_CLI_INVALID_WORKERS",
  500,
  ({ given, most }) => `--workers: "${given}" is neither a number from 1 to ${most} nor \`auto\`.`,
  {
    cause: "`plinth start --workers` was given something else than a number of processes.",
    remedy: "Write `--workers 4`, or `--workers auto` for one a processor core.",
  },
);

/** Workers share a database; the embedded one belongs to one process. */
export const EmbeddedWorkersError = createError<object>(
  "PLINTH_CLI_WORKERS_EMBEDDED",
  500,
  () => "--workers needs a PostgreSQL server: the embedded database takes one process at a time.",
  {
    cause: "`plinth start --workers` was called for an app on the embedded database.",
    remedy: 'Set DATABASE_URL (`client: "postgres"` in config/database), or leave `--workers` out.',
  },
);

/** The other process, a worker or the parent of one, did not answer. */
export const WorkerSilentError = createError<{ reason: string }>(
  "PLINTH_CLI_WORKER_SILENT",
  500,
  ({ reason }) => `A worker and its parent process could not come to an answer: ${reason}`,
  {
    cause:
      "A worker ended while it was asked for its part of an answer of the management port, failed to give it, or did not answer.",
    remedy: "Ask again; the log says why the worker has ended, or what it threw.",
  },
);

/** Something was asked for that the process which has the embedded database open cannot do meanwhile. */
export const DatabaseInUseError = createError<{ what: string; by: string; pid: number }>(
  "PLINTH_CLI_DATABASE_IN_USE",
  500,
  ({ what, by, pid }) =>
    `${what} needs the embedded database for itself, and \`${by}\` (process ${pid}) has it open; stop that, and run the command again.`,
  {
    cause: "A command changes the tables or the content-types of an app that is running on the embedded database.",
    remedy: "Stop the running app, run the command, and start the app again.",
  },
);

/** The process that runs a command does not know it. */
export const CommandUnknownError = createError<{ command: string; by: string; pid: number }>(
  "PLINTH_CLI_COMMAND_UNKNOWN",
  500,
  ({ command, by, pid }) =>
    `The app of \`${by}\` (process ${pid}) has no command "${command}"; it was started before the command was there: restart it.`,
  {
    cause: "The running app is older than the project's files, and has another set of commands.",
    remedy: "Restart the running app, or fix what keeps `plinth develop` from taking over the latest change.",
  },
);

/** The process that ran a command has gone before it was over. */
export const RunningProcessLostError = createError<{ by: string; pid: number }>(
  "PLINTH_CLI_PROCESS_LOST",
  500,
  ({ by, pid }) => `\`${by}\` (process ${pid}), which ran the command, ended before it was over.`,
  {
    cause: "The process that has the embedded database open was stopped or restarted while it ran a command.",
    remedy: "Run the command again.",
  },
);

/** Code of the app threw where nothing could catch it; the process goes on. */
export const UncaughtError = createError<{ what: string; reason: string }>(
  "PLINTH_UNCAUGHT",
  500,
  (d) => `${d.what}: ${d.reason}. Add \`await\` or \`catch\` there.`,
  {
    cause:
      "A callback or timer of the app or of a plugin threw, or it called an asynchronous function without awaiting it.",
    remedy: "Await the promise, or catch its error. The process goes on, and what the code was about may be half done.",
  },
);
