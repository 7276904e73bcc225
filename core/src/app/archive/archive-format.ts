import type { ContentType } from "../../schema/model.js";
import type { ModelShape } from "./model-shape.js";

/** The format that this version writes and reads. */
export const FORMAT = 1;

/** The first part: what the archive is. */
export const MANIFEST = "manifest.json";
/** The last part: what each other one has to be. */
export const CHECKSUMS = "checksums.jsonl";
/** The part of users and administrators. */
export const PEOPLE = "people.jsonl";
/** The part of locales, roles, permissions and tokens. */
export const SETTINGS = "settings.jsonl";
/** What the names of parts begin with that are bytes of files. */
export const FILES = "files/";

/** `manifest.json`. A folder that somebody wrote by hand needs `format` only. */
export interface Manifest {
  readonly format: number;
  /** Of Plinth. */
  readonly version?: string;
  /** ISO 8601: the archive holds what was committed then. */
  readonly createdAt?: string;
  /** Place in the log of PostgreSQL: `0/1A2B3C`; null on a standby. */
  readonly position?: string | null;
  /** `--since` of the export, or null. */
  readonly since?: string | null;
  /** Whether passwords and tokens are in it. */
  readonly secrets?: boolean;
  readonly locales?: readonly string[];
  readonly model?: ModelShape;
  /** sha256 of `model` as its JSON is, in hex. */
  readonly modelHash?: string;
}

/** A line of `checksums.jsonl`. */
export interface Checksum {
  readonly path: string;
  /** In hex. */
  readonly sha256: string;
  readonly bytes: number;
  /** Null for what has none: `files/`. */
  readonly lines: number | null;
}

/** Where the documents of a content-type are: its option `archive`. Default: `content`. */
export interface ArchivePlace {
  readonly part: "content" | "people" | "settings" | "none";
  /** Attributes by which a document that an app made itself is found again: `["type"]` of roles. */
  readonly key: readonly string[];
  /** Attributes that are left out without `--with-secrets`, beside passwords. */
  readonly secrets: readonly string[];
  /** True: the whole type is left out without `--with-secrets`. */
  readonly isSecret: boolean;
  /** True: its documents are the locales of an app. */
  readonly isLocales: boolean;
}

/** Reads the option `archive` of a content-type. */
export function placeOf({ options }: Pick<ContentType, "options">): ArchivePlace {
  const said = (options["archive"] ?? {}) as Partial<ArchivePlace>;
  return { part: "content", key: [], secrets: [], isSecret: false, isLocales: false, ...said };
}

/** The attributes of a type that an export without secrets leaves out. */
export function secretsOf(type: ContentType): readonly string[] {
  const passwords = [...type.attributes.values()].filter(({ kind }) => kind === "password").map(({ name }) => name);
  return [...passwords, ...placeOf(type).secrets];
}
