import type { WriteStream } from "node:tty";
import { destination, type Logger, type LoggerOptions, pino, stdSerializers, stdTimeFunctions } from "pino";
import * as v from "@plinth/core/valibot";
import { parseOptions } from "../base/options/parse-options.js";
import { option, options } from "../base/options/values.js";
import { markReadable } from "../http/request-log.js";
import { withoutTokensIn } from "../http/without-tokens.js";
import { AppConfigError } from "./errors.js";
import { coloursOf, createReadableStream } from "./readable-log.js";

/** What config/log may hold. */
export const logConfig = options({
  level: option(
    v.picklist(["silent", "fatal", "error", "warn", "info", "debug", "trace"]),
    "From which level on entries are written.",
    "info",
  ),
  format: option(
    v.picklist(["auto", "json", "pretty"]),
    "`json`: a line an entry, for machines; `pretty` for people, in colours unless `NO_COLOR` is set; `auto`: for people where stderr is a terminal.",
    "auto",
  ),
});

/** How lines are written as JSON: what looks like a token is not in them, nor in what an error says. */
export const jsonLines: Pick<LoggerOptions, "timestamp" | "serializers"> = {
  timestamp: stdTimeFunctions.isoTime,
  serializers: { err: (error: Error) => withoutTokensIn(stdSerializers.err(error)) },
};

/**
 * The logger of an app. Writes to stderr, so that what a command prints stays its own.
 *
 * @param stderr - tells whether it is a terminal.
 * @throws PLINTH_CONFIG_WRONG
 */
export function createLog(config: unknown, stderr: Partial<WriteStream> = process.stderr): Logger {
  const { value, problems } = parseOptions(logConfig, config, "log");
  if (problems) throw new AppConfigError({ problems });
  const { level, format } = value;
  const isReadable = format === "pretty" || (format === "auto" && stderr.isTTY === true);
  if (!isReadable) return pino({ level, ...jsonLines }, destination({ dest: 2, sync: true }));
  return markReadable(pino({ level, ...jsonLines }, createReadableStream(coloursOf(stderr, process.env))));
}
