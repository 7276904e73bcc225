import { destination, type Logger, pino, stdTimeFunctions } from "pino";

/** `config/log`: how much is logged, and in which form. */
export interface LogConfig {
  /** `silent`, `error`, `warn`, `info` (default) or `debug`. */
  readonly level?: string;
  /** `json` (default) a line an entry, for machines; `pretty` for people. */
  readonly format?: "json" | "pretty";
}

/** The logger of an app. Writes to stderr, so that what a command prints stays its own. */
export function createLog(config: unknown): Logger {
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
