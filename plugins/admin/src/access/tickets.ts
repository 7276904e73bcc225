import { randomUUID } from "node:crypto";
import type { App } from "@plinth/core";
import { createDatabaseCounters } from "@plinth/core/access";
import { seal, unseal } from "./seal.js";

const SECOND = 1000;

interface Written<Content> {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
  readonly content: Content;
}

/**
 * Short-lived proofs that their holder keeps and cannot read or change: half a sign-in, a link for a new password. Nothing is stored of
 * them but that one was used.
 */
export class Tickets<Content extends object> {
  /**
   * @param purpose - what they are for: one of another purpose is not valid.
   * @param life - in seconds.
   */
  constructor(
    private readonly app: App,
    private readonly purpose: string,
    private readonly life: number,
  ) {}

  /** Makes one. */
  issue(content: Content): string {
    const endsAt = this.app.clock.now() + this.life * SECOND;
    return seal(this.app, this.purpose, { id: randomUUID(), endsAt, content } satisfies Written<Content>);
  }

  /** What a ticket says; undefined for one that is not valid or has ended. Whether it was used is not asked. */
  read(ticket: string): Content | undefined {
    return this.#open(ticket)?.content;
  }

  /** Uses a ticket up, for all processes. Undefined for one that is not valid, has ended, or was used. */
  async spend(ticket: string): Promise<Content | undefined> {
    const known = this.#open(ticket);
    if (!known) return undefined;
    const counters = createDatabaseCounters(this.app);
    const [uses] = await counters.add([{ key: `admin ticket|${known.id}`, by: 1, interval: Math.ceil(this.life) }]);
    return uses?.value === 1 ? known.content : undefined;
  }

  #open(ticket: string): Written<Content> | undefined {
    const known = unseal<Written<Content>>(this.app, this.purpose, ticket)?.value;
    return known && this.app.clock.now() < known.endsAt ? known : undefined;
  }
}
