import { timingSafeEqual } from "node:crypto";
import type { CommandCall } from "../../app/command.js";
import type { TerminalSize } from "./frames.js";

/** Of the protocol; both sides must have the same. */
const FORMAT = 1;

/** The one line of JSON by which a caller asks for a command. */
export interface CommandRequest extends Pick<CommandCall, "arguments" | "options"> {
  /** The token of the address. */
  readonly token: string;
  /** Folder of the caller's project. */
  readonly root: string;
  /** Such as `token list`. */
  readonly command: string;
  /** The user of the system who has typed it, as the caller says. */
  readonly user?: string | undefined;
  /** Whether failures are printed with their stack. */
  readonly debug: boolean;
  /** Whether somebody types, and whether somebody looks. */
  readonly isTyped: boolean;
  readonly isShown: boolean;
  readonly size: TerminalSize;
}

/** Characters that a request may have. */
export const LONGEST_REQUEST = 1024 ** 2;

/** The line, with the end that makes it one. */
export const encodeRequest = (request: CommandRequest): string => `${JSON.stringify({ format: FORMAT, ...request })}\n`;

/** What a line asks for; undefined unless it is a request with the token. */
export function parseRequest(line: string, token: string): CommandRequest | undefined {
  let given: Partial<CommandRequest> & { readonly format?: unknown };
  try {
    given = JSON.parse(line) ?? {};
  } catch {
    return undefined;
  }
  const { format, root, command, size } = given;
  if (!isSame(String(given.token), token) || format !== FORMAT) return undefined;
  if (typeof root !== "string" || typeof command !== "string" || !isObject(size)) return undefined;
  return isObject(given.arguments) && isObject(given.options) ? (given as CommandRequest) : undefined;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
