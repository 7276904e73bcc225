import { destination, type Logger, pino, stdTimeFunctions } from "pino";
import { check, checkOptions, type OptionChecks, type OptionProblem } from "../base/check-options.js";
import { AppConfigError } from "./errors.js";

/** `config/log`: how much is logged, and in which form. */
export interface LogConfig {
  /** `silent`, `error`, `warn`, `info` (default) or `debug`. */
  readonly level?: string;
  /** `json` (default) a line an entry, for machines; `pretty` for people. */
  readonly format?: "json" | "pretty";
}

const CHECKS: OptionChecks<LogConfig> = {
  level: check.oneOf("silent", "fatal", "error", "warn", "info", "debug", "trace"),
  format: check.oneOf("json", "pretty"),
};

/** What is wrong with `config/log`. */
export function checkLogConfig(raw: unknown): readonly OptionProblem[] {
  return checkOptions(raw, CHECKS, { path: "log" });
}

/**
 * The logger of an app. Writes to stderr, so that what a command prints stays its own.
 *
 * @throws PLINTH_CONFIG_WRONG
 */
export function createLog(config: unknown): Logger {
  const problems = checkLogConfig(config);
  if (problems.length > 0) throw new AppConfigError({ problems });
  const { level = "info", format = "json" } = (config ?? {}) as LogConfig;
  const options = { level, timestamp: stdTimeFunctions.isoTime };
  if (format === "json") return pino(options, destination({ dest: 2, sync: true }));
  return pino({
    ...options,
    transport: {
      target: "pino-pretty",
      options: { destination: 2, ignore: "pid,hostname,method,path,status,ms", translateTime: "SYS:HH:MM:ss" },
    },
  });
}
