/** What somebody did, or was refused. What is absent is not known, or not kept by the configuration. */
export interface AuditEntryView {
  readonly id: number;
  readonly at: string;
  /** `document.update`, `auth.sign-in`. */
  readonly action: string;
  readonly result: "accepted" | "refused" | "limited" | "failed";
  readonly transport: string;
  readonly actor?: { readonly kind: string; readonly id?: string; readonly name?: string };
  readonly uid?: string;
  readonly documentId?: string;
  readonly locales?: readonly string[];
  readonly attributes?: readonly string[];
  readonly requestId?: string;
  readonly address?: string;
  readonly agent?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** `GET /admin/api/audit`, the latest first. */
export interface AuditList {
  readonly data: readonly AuditEntryView[];
  readonly meta: { readonly next: string | null };
}

/** The latest link of the chain. */
export interface SealView {
  readonly id: number;
  readonly at: string;
  readonly last: number;
  readonly previous: string;
  readonly hash: string;
}

/** `GET /admin/api/audit/head`. */
export interface AuditHead {
  readonly data: SealView | null;
  readonly meta: {
    /** What the configuration keeps. */
    readonly keeps: {
      readonly personal: "none" | "truncated" | "full";
      readonly names: boolean;
      readonly days: number;
    };
  };
}

/** `GET /admin/api/audit/check`: whether the latest entries are as they were sealed. */
export interface AuditCheck {
  readonly data: {
    readonly isWhole: boolean;
    readonly break: {
      readonly seal: number;
      readonly entry?: number;
      readonly problem: "changed" | "missing" | "added";
    } | null;
    readonly seals: number;
    readonly entries: number;
    /** Entries that are not sealed yet. */
    readonly unsealed: number;
    readonly head: SealView | null;
    /** Whether the chain was checked from its beginning. */
    readonly isAll: boolean;
    /** False: the time was over before the head was reached. */
    readonly isDone: boolean;
  };
}
