import type { HealthReport, Readiness } from "../../http/health.js";
import type { ManagementAnswer } from "../../http/management-endpoints.js";
import type { SharedSocket } from "../../http/node-internals.js";

/** What the configuration of an app says of the process above its workers. The parent itself reads no configuration. */
export interface ParentConfig {
  readonly host: string;
  readonly port: number;
  /** Milliseconds; see `config/server`. */
  readonly drainDelay: number;
  readonly closeTimeout: number;
  /** Port of the management; undefined: none. */
  readonly management?: number;
  /** `config/log`. */
  readonly log?: unknown;
}

/** What a worker asks its parent. */
export type AskParent = {
  /** The socket on which all workers listen. In the worker, its handle. */
  readonly open: (config: ParentConfig) => SharedSocket | Promise<SharedSocket>;
  /** It serves. @param text - what a start prints. */
  readonly started: (text: string) => void;
  /** Each second. */
  readonly tell: (report: HealthReport) => void;
  /** The answer of all workers on the management port. */
  readonly askAll: (path: string) => Promise<ManagementAnswer | undefined>;
  /** It serves no client any more, and is about to end. @param texts - what it says for the last time, by path. */
  readonly leave: (texts: LastTexts) => void;
};

/** What a worker says of itself for the last time, by the path on the management port. */
export type LastTexts = Readonly<Record<string, string>>;

/** What a parent asks a worker that has started. */
export type AskWorker = {
  /** How ready all are together. */
  readonly together: (status: Readiness) => void;
  readonly read: (path: string) => Promise<string | undefined>;
  readonly combine: (parts: {
    readonly path: string;
    readonly living: readonly string[];
    readonly ended?: string;
  }) => Promise<ManagementAnswer | undefined>;
  readonly keep: (parts: { readonly path: string; readonly texts: readonly string[] }) => Promise<string | undefined>;
};
