import { describeProblems, type OptionProblem } from "../base/options/parse-options.js";
import { createError } from "../base/error.js";

/** A module of the project cannot be loaded. */
export const ModuleFailedError = createError<{ file: string; reason: string }>(
  "PLINTH_PROJECT_MODULE_FAILED",
  500,
  ({ file, reason }) => `${file} cannot be loaded: ${reason}`,
  {
    cause: "A file of config/ or src/ throws when it is imported, or holds a syntax error.",
    remedy: "Fix the file that the message names; the cause printed below it says where.",
  },
);

/** A module of the project does not export what its place promises. */
export const ModuleExportError = createError<{ file: string; expected: string }>(
  "PLINTH_PROJECT_MODULE_EXPORT",
  500,
  ({ file, expected }) => `${file} has to export ${expected} as its default.`,
  {
    cause: "A file in a place that Plinth reads has no default export, or one of another form.",
    remedy: "Export what the message asks for with `export default`.",
  },
);

/** A JSON file of the project is not JSON. */
export const JsonFileError = createError<{ file: string; reason: string }>(
  "PLINTH_PROJECT_JSON_INVALID",
  500,
  ({ file, reason }) => `${file} is not valid JSON: ${reason}`,
  {
    cause: "A schema or configuration file holds a syntax error.",
    remedy: "Fix the file at the position that the message names.",
  },
);

/** A folder does not look like a project. */
export const NoProjectError = createError<{ directory: string }>(
  "PLINTH_PROJECT_NOT_FOUND",
  500,
  ({ directory }) => `${directory} holds no Plinth project: there is neither a config nor a src folder.`,
  {
    cause: "A command was given in a folder that is not a project.",
    remedy: "Go to the folder of a project, or make one with `plinth new <dir>`.",
  },
);

/** A plugin of config/plugins cannot be found. */
export const PluginUnresolvedError = createError<{ plugin: string; resolve: string; reason: string }>(
  "PLINTH_PROJECT_PLUGIN_UNRESOLVED",
  500,
  ({ plugin, resolve, reason }) => `Plugin "${plugin}" cannot be loaded from "${resolve}": ${reason}`,
  {
    cause:
      "config/plugins names a package that is not installed, a folder that is not there, or a module without a plugin in it.",
    remedy: "Install the package, fix `resolve`, or set `enabled: false`.",
  },
);

/** A plugin is listed under a name that is not its own. */
export const PluginListedNameError = createError<{ listed: string; name: string }>(
  "PLINTH_PROJECT_PLUGIN_NAME",
  500,
  ({ listed, name }) => `The plugin "${name}" is listed or kept in a folder as "${listed}"; use its own name there.`,
  {
    cause: "The key in config/plugins, or the folder in src/plugins, is not the name that definePlugin got.",
    remedy: "Rename the key or the folder to the plugin's name, or change the name in definePlugin.",
  },
);

/** A file or folder of the project is in a place that Plinth does not read. */
export const UnreadFileError = createError<{ problems: readonly OptionProblem[] }>(
  "PLINTH_PROJECT_UNREAD",
  500,
  ({ problems }) => `Plinth does not read these files or folders of the project:\n${describeProblems(problems)}`,
  {
    cause:
      "The name of a file or folder is nearly one that Plinth reads, or a content-type's folder has no schema.json.",
    remedy: "Rename it as the message says, or move it elsewhere.",
  },
);

/** The configuration of the app is wrong; all problems at once. */
export const AppConfigError = createError<{ problems: readonly OptionProblem[] }>(
  "PLINTH_CONFIG_WRONG",
  500,
  ({ problems }) => `The configuration is wrong:\n${describeProblems(problems)}`,
  {
    cause:
      "A file of config/ has a key that is not known or a value of another form, or a name that is nearly one of Plinth's.",
    remedy: "Correct each line of the message; `server.port` is the key `port` in config/server.",
  },
);

/** An environment variable does not have the form that the configuration asks for. */
export const EnvironmentError = createError<{ name: string; expected: string }>(
  "PLINTH_CONFIG_ENVIRONMENT",
  500,
  ({ name, expected }) => `The environment variable ${name} has to be ${expected}.`,
  {
    cause: "A variable that a configuration file reads is missing or of another form.",
    remedy: "Set it in the environment or in .env.",
  },
);

/** The configuration `i18n` cannot be used; every problem at once. */
export const LocalesConfigError = createError<{ problems: readonly string[] }>(
  "PLINTH_CONFIG_LOCALES",
  500,
  ({ problems }) => `The configuration i18n is wrong: ${problems.join("; ")}.`,
  {
    cause: "config/i18n has a value of another form, or a fallback to a locale that is not in it.",
    remedy: 'Write `{ defaultLocale: "en", locales: ["en", { code: "fr", fallback: ["en"] }] }`.',
  },
);

/** Invalid limits of reads. */
export const InvalidReadsConfigError = createError<{ problems: readonly string[] }>(
  "PLINTH_READS_INVALID_CONFIG",
  500,
  ({ problems }) => `The limits of reads are wrong: ${problems.join("; ")}.`,
  {
    cause: "`reads` of config/api, or `rest.nestedLimit`, has a key that does not exist, or an invalid value.",
    remedy: "Correct what the message names: whole numbers from 1, or -1 for no limit.",
  },
);

/** A secret is not configured, in production. */
export const SecretMissingError = createError<{ name: string; variable: string }>(
  "PLINTH_SECRET_MISSING",
  500,
  ({ name, variable }) =>
    `The secret "${name}" is missing. Set ${variable} to a long random text, the same for every process of the app.`,
  {
    cause: "An app in production has no value for a secret that tokens are hashed or signed with.",
    remedy: "Set the variable that the message names in the environment or in .env, and keep its value.",
  },
);

/** An app without a plugin that sends mails is asked to. */
export const NoMailError = createError<object>(
  "PLINTH_MAIL_NONE",
  500,
  () => "No plugin of this app sends mails: enable users-permissions in config/plugins.",
  { cause: "app.mail was used, and no enabled plugin sends mails.", remedy: "Enable users-permissions." },
);
