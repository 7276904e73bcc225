import type { IncomingHttpHeaders } from "node:http";
import type { Actor } from "../access/ability.js";
import { laterOf, parsePosition, type ReadPoint } from "../database/driver/position.js";
import type { Replicas } from "../database/driver/replicas.js";
import type { HttpContext, Middleware } from "./types.js";

/** Header, and cookie, of a position. */
const HEADER = "plinth-position";
const COOKIE = /(?:^|;\s*)plinth_position=([^;]+)/;

/** What is asked of the replicas. */
type WrittenTo = Pick<Replicas<{ close(): Promise<void> }>, "config" | "written">;

/** Methods whose requests may write. */
const WRITES: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "DELETE"]);

const ANYWHERE: ReadPoint = Object.freeze({ position: undefined });

/**
 * Shows every writer what they wrote, from any process and any replica: an answer to a write says where the log of the
 * database was, and a read that brings it back is answered by who has come that far.
 */
export class Consistency {
  readonly #replicas: WrittenTo;
  /** The position that `#headers` are made of. */
  #text: string | undefined;
  #headers: readonly [string, string, string, string] = ["", "", "", ""];

  constructor(replicas: WrittenTo) {
    this.#replicas = replicas;
  }

  /**
   * What a read of a request has to see; undefined: the primary answers.
   *
   * @source core/guides/deployment.md#replicas
   */
  pointOf(headers: IncomingHttpHeaders, { kind }: Actor): ReadPoint | undefined {
    const asked = headers["plinth-consistency"];
    if (asked === "eventual") return ANYWHERE;
    if (asked !== undefined || (kind !== "public" && this.#replicas.config.readers === "public")) return undefined;
    const given = headers[HEADER];
    const cookie = headers.cookie;
    if (given === undefined && cookie === undefined) return ANYWHERE;
    const ofHeader = typeof given === "string" ? parsePosition(given) : undefined;
    const ofCookie = cookie?.includes("plinth_position=") ? parsePosition(COOKIE.exec(cookie)?.[1] ?? "") : undefined;
    const position = laterOf(ofHeader, ofCookie);
    return position ? { position } : ANYWHERE;
  }

  /** The headers of an answer, names and values in turns; none for one that wrote nothing. */
  headersOf(method: string | undefined, isRead = false): readonly string[] {
    const { written } = this.#replicas;
    if (isRead || written === undefined || !WRITES.has(method ?? "")) return [];
    if (written !== this.#text) {
      this.#text = written;
      this.#headers = ["Plinth-Position", written, "Set-Cookie", this.#cookieOf(written)];
    }
    return this.#headers;
  }

  #cookieOf(written: string): string {
    const seconds = Math.ceil(this.#replicas.config.maxLag / 1000);
    return `plinth_position=${written}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax`;
  }
}

/** Adds them to the answers that koa gives, errors included: what failed may have written before. */
export function positionMiddleware(consistency: Consistency): Middleware {
  return async (ctx, next) => {
    const onHead = (): void => {
      const [name, value, , cookie] = consistency.headersOf(ctx.method, ctx.state.isRead === true);
      if (name === undefined) return;
      ctx.set(name, value as string);
      ctx.append("Set-Cookie", cookie as string);
    };
    try {
      await next();
      onHead();
    } catch (error) {
      onHead();
      throw error;
    }
  };
}

/** Where the contexts of a server find its consistency. */
export const CONSISTENCY = Symbol("plinth.consistency");

/** What a read of a request with a koa context has to see. */
export function pointOfContext(ctx: HttpContext): ReadPoint | undefined {
  const consistency = (ctx as { readonly [CONSISTENCY]?: Consistency })[CONSISTENCY];
  return consistency?.pointOf(ctx.headers, ctx.state.actor);
}
