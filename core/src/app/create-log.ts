import { destination, type Logger, pino, stdTimeFunctions } from "pino";
import * as v from "../base/valibot.js";
import { parseOptions } from "../base/options/parse-options.js";
import { option, options } from "../base/options/values.js";
import { AppConfigError } from "./errors.js";

/** What config/log may hold. */
export const logConfig = options({
  level: option(
    v.picklist(["silent", "fatal", "error", "warn", "info", "debug", "trace"]),
    "From which level on entries are written.",
    "info",
  ),
  format: option(v.picklist(["json", "pretty"]), "`json`: a line an entry, for machines; `pretty` for people.", "json"),
});

/**
 * The logger of an app. Writes to stderr, so that what a command prints stays its own.
 *
 * @throws PLINTH_CONFIG_WRONG
 */
export function createLog(config: unknown): Logger {
  const { value, problems } = parseOptions(logConfig, config, "log");
  if (problems) throw new AppConfigError({ problems });
  const { level, format } = value;
  const pinoOptions = { level, timestamp: stdTimeFunctions.isoTime };
  if (format === "json") return pino(pinoOptions, destination({ dest: 2, sync: true }));
  return pino({
    ...pinoOptions,
    transport: {
      target: "pino-pretty",
      options: { destination: 2, ignore: "pid,hostname,method,path,status,ms", translateTime: "SYS:HH:MM:ss" },
    },
  });
}
