import { createRequire } from "node:module";
import type { WriteStream } from "node:tty";
import type { PrettyOptions } from "pino-pretty";
import type { AnswerFields, RequestFields } from "../http/request-log.js";

/** What a request's line is made of; other lines have no status. */
type RequestLine = RequestFields & AnswerFields;

/** Is shown in the text of the line, or is for machines. */
const HIDDEN = "pid,hostname,method,path,query,status,ms,code,problem,requestId,traceId,spanId,api,operation,actor";

/**
 * Writes lines for people to stderr. The library is loaded here, because servers do not need it.
 *
 * @param hasColours - see coloursOf
 */
export function createReadableStream(hasColours: boolean): NodeJS.WritableStream {
  const pretty = createRequire(import.meta.url)("pino-pretty") as (options: PrettyOptions) => NodeJS.WritableStream;
  return pretty({
    destination: 2,
    sync: true,
    colorize: hasColours,
    ignore: HIDDEN,
    translateTime: "SYS:HH:MM:ss",
    messageFormat: (line, messageKey, _levelLabel, { colors }) =>
      describeLine(line as unknown as RequestLine, printable(String(line[messageKey] ?? "")), colors),
  });
}

/**
 * Whether lines have colours: on a terminal that has some; NO_COLOR turns them off, FORCE_COLOR on.
 *
 * @source https://no-color.org, https://force-color.org
 */
export function coloursOf(stream: Partial<WriteStream>, env: Readonly<Record<string, string | undefined>>): boolean {
  const { NO_COLOR: no = "", FORCE_COLOR: force = "" } = env;
  if (no !== "") return false;
  if (force !== "") return force !== "0";
  return stream.isTTY === true && env["TERM"] !== "dumb";
}

type Paint = (text: string) => string;
/** As pino-pretty hands them out. */
type Colours = Readonly<Record<"green" | "cyan" | "yellow" | "red" | "gray" | "bold", Paint>>;

function describeLine(line: RequestLine, message: string, given: object): string {
  const colours = given as Colours;
  const { method, path, query = "", status, ms, code, problem, requestId } = line;
  if (status === undefined || method === undefined)
    return requestId === undefined || method === undefined ? message : `${message}: ${method} ${path} ${requestId}`;
  const paint = statusPaint(status, colours);
  const asked = `${method} ${path}${colours.gray(printable(query))} ${paint(String(status))} (${ms} ms)`;
  return [asked, code ? paint(code) : "", printable(problem ?? "")].filter((part) => part !== "").join(" ");
}

function statusPaint(status: number, { green, cyan, yellow, red }: Colours): Paint {
  if (status >= 500) return red;
  if (status >= 400) return yellow;
  return status >= 300 ? cyan : green;
}

/** Clients could send what moves the cursor or rings the bell. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
const printable = (text: string): string => text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, "\ufffd");
