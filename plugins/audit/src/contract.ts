import { type ServiceRef, serviceRef } from "@plinth/core";
import type { WorkResult } from "@plinth/core/telemetry";

/** What somebody did, or was refused. What is absent is not known, or not kept by the configuration. */
export interface AuditEntry {
  /** Its place among all; some numbers are of nothing. */
  readonly id: number;
  /** ISO 8601, by the clock of the database; of a time that only SQL past the app can write its text, such as `infinity`. */
  readonly at: string;
  /** `document.update`, `auth.sign-in`, `access.refuse`, `command.run`; see the guide. */
  readonly action: string;
  readonly result: WorkResult;
  readonly transport: string;
  readonly actor?: { readonly kind: string; readonly id?: string; readonly name?: string };
  /** Content-type of the document that it is about. */
  readonly uid?: string;
  readonly documentId?: string;
  readonly locales?: readonly string[];
  /** Names of the attributes that a write gave, without their values. */
  readonly attributes?: readonly string[];
  readonly requestId?: string;
  readonly address?: string;
  readonly agent?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Which entries are wanted; all of it holds. */
export interface AuditFilter {
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  /** `user:k2v9...`, a kind or an id alone. */
  readonly actor?: string | undefined;
  /** `document.update`, or the beginning of several: `auth.*`. */
  readonly action?: string | undefined;
  readonly result?: WorkResult | undefined;
  /** Of a content-type. */
  readonly uid?: string | undefined;
  readonly documentId?: string | undefined;
}

/** Some entries, the latest first. */
export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** From where older ones are read on; null at the end. */
  readonly next: string | null;
}

/** What ties entries to all that were sealed before them. */
export interface Seal {
  /** 1 is the first. */
  readonly id: number;
  /** ISO 8601. */
  readonly at: string;
  /** All entries up to this id are in it, or in one before. */
  readonly last: number;
  /** Hash of the seal before it; 64 zeros for the first. */
  readonly previous: string;
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
}

/** Where the log is not what was sealed. */
export interface AuditBreak {
  readonly seal: number;
  /** Undefined where it is about the seal itself. */
  readonly entry?: number;
  readonly problem: "changed" | "missing" | "added";
}

/** What a check of the whole log found. */
export interface Verification {
  readonly isWhole: boolean;
  /** The first. */
  readonly break: AuditBreak | null;
  /** How many were checked, up to the break. */
  readonly seals: number;
  readonly entries: number;
  /** Entries that are not sealed yet: nothing can be said of them. */
  readonly unsealed: number;
  /** ISO 8601: when the oldest of them was written; null without any. */
  readonly unsealedSince: string | null;
  /** The latest seal. */
  readonly head: Seal | null;
  /** The seal up to which older entries were deleted by the retention. */
  readonly cut: Pick<Seal, "id" | "at" | "hash"> | null;
}

/** What a check of the latest entries found. */
export interface LatestVerification extends Verification {
  /** Whether the chain is so short that all of it was checked. */
  readonly isAll: boolean;
  /** False: the time was over before the latest seal was reached. */
  readonly isDone: boolean;
}

/** A seal that was kept elsewhere. */
export type KnownSeal = Pick<Seal, "id" | "hash">;

/** Who did what, when and from where. The log is written by the plugin; code tells it of acts by `onAct` of `@plinth/core/access`. */
export interface Audit {
  /** @param page - `limit`: 1 to 1,000, default 100; `after`: `next` of the page before. @throws PLINTH_AUDIT_SELECTION_INVALID (400) */
  list(
    filter?: AuditFilter,
    page?: { readonly limit?: number; readonly after?: string | undefined },
  ): Promise<AuditPage>;
  /**
   * All entries as JSON lines, oldest first, each as it is hashed, some hundred at a time.
   *
   * @param options - `seals`: each is followed by the line of a seal, `{ "seal": { ... } }`, that covers it; without a filter only.
   * @throws PLINTH_AUDIT_SELECTION_INVALID (400)
   */
  export(filter?: AuditFilter, options?: { readonly seals?: boolean }): AsyncIterable<string>;
  /**
   * Checks the chain, that nothing was cut off which is younger than `days`, and that it still has a seal which was kept
   * elsewhere: one of that time, because older ones are cut off.
   *
   * @param days - by which it was cut, where more are configured since; default: as is configured.
   */
  verify(known?: KnownSeal, days?: number): Promise<Verification>;
  /** Checks the latest 10,000 entries, for two seconds at most; several who ask at once are answered by one check. */
  verifyLatest(): Promise<LatestVerification>;
  /** The latest seal; null where there is none yet. */
  head(): Promise<Seal | null>;
  /** Writes what waits in this process, and seals what is settled. One process does this by itself. @returns how many entries */
  seal(): Promise<number>;
  /** Deletes sealed entries that are older than `days`. One process does this by itself, hourly. @returns how many */
  cut(): Promise<number>;
}

/** The service behind the audit log: `app.service(audit)`. */
export const audit: ServiceRef<Audit> = serviceRef<Audit>("plugin::audit.audit");

declare module "@plinth/core" {
  interface Services {
    "plugin::audit.audit": Audit;
  }
}
