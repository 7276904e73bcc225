/** A schema as a file has it, with keys that Plinth does not know, in the file's order. */
export type RawSchema = Readonly<Record<string, unknown>>;

/** `GET /admin/api/builder`: what the content model is made of. */
export interface BuilderView {
  /** Whether files can be written: only `plinth develop` does that. */
  readonly canChange: boolean;
  /** Changes when the content model does. */
  readonly modelVersion: string;
  readonly shapes: readonly SchemaView[];
  /** The newest change; null: there was none since the process was started. */
  readonly change: BuilderChange | null;
}

/** A content-type or component, and where it is written. */
export interface SchemaView {
  /** `api::article.article`, `shared.seo`. */
  readonly uid: string;
  readonly shape: "type" | "component";
  /** Path of its file from the folder of the project; null: code declares it. That of an addition need not exist. */
  readonly path: string | null;
  /** `whole`: the file is all of it; `addition`: it adds attributes to a type that a plugin declares; null: no file. */
  readonly form: "whole" | "addition" | null;
  readonly isChangeable: boolean;
  /** Of the file's text; null: there is no file. */
  readonly base: string | null;
  /** What the file holds; of what code declares, what that says. */
  readonly schema: RawSchema;
  /** Attributes from elsewhere: of what an addition is added to, and what plugins add. */
  readonly others: Readonly<Record<string, RawSchema>>;
}

/** What a file of a schema is to hold. */
export interface SchemaChange {
  readonly uid: string;
  readonly shape: "type" | "component";
  /** `base` of the view that the change was made from; null: there was no file. */
  readonly base: string | null;
  /** Null: the file is removed. */
  readonly schema: RawSchema | null;
}

/** Body of `POST /admin/api/builder/plan`. */
export interface BuilderDraft {
  readonly changes: readonly SchemaChange[];
}

/** Body of `POST /admin/api/builder/apply`. */
export interface BuilderApplication extends BuilderDraft {
  /** Of the plan that was shown. */
  readonly hash: string;
  /** The name that was typed, by the id of each loss. */
  readonly names: Readonly<Record<string, string>>;
}

/** Answer of `POST /admin/api/builder/plan`. */
export interface BuilderPlan {
  /** What is wrong; nothing is written then. */
  readonly problems: readonly BuilderProblem[];
  readonly files: readonly PlannedFile[];
  readonly steps: readonly DatabaseStep[];
  readonly losses: readonly BuilderLoss[];
  /** Names this plan; null: it cannot be applied. */
  readonly hash: string | null;
}

/** Something that is wrong, at its place. */
export interface BuilderProblem {
  /** Of the schema; null: of none, or it is not known of which. */
  readonly uid: string | null;
  /** `attributes.author.inversedBy`; empty: the whole. */
  readonly path: string;
  readonly message: string;
  /** What to do about it; empty: the message says so. */
  readonly remedy: string;
}

/** A file that will be written. */
export interface PlannedFile {
  readonly path: string;
  /** Null: it is new. */
  readonly before: string | null;
  /** Null: it is removed. */
  readonly after: string | null;
}

/** What a start will do to the database. */
export interface DatabaseStep {
  /** `add column`, `drop table`: the words of `plinth schema plan`. */
  readonly kind: string;
  readonly table: string;
  /** Column, or index; null: the whole table. */
  readonly column: string | null;
  readonly sql: readonly string[];
  readonly phase: "tables" | "indexes" | "content";
  /** In PostgreSQL's words; null: none that a request notices. */
  readonly lock: string | null;
  readonly losesContent: boolean;
  readonly why: string;
}

/** Content that will be lost. */
export interface BuilderLoss {
  /** `api::article.article#price`, or a uid where it is the whole type. */
  readonly id: string;
  readonly uid: string;
  /** Null: all of the type. */
  readonly attribute: string | null;
  /** What has to be typed in: the name of the attribute, or of the type. */
  readonly name: string;
}

/** What became of a change; answer of `POST /admin/api/builder/apply` and `GET /admin/api/builder/change`. */
export interface BuilderChange {
  readonly id: string;
  /** `failed`: the files are as they were. */
  readonly state: "restarting" | "ready" | "failed";
  /** Of `failed`. */
  readonly problems: readonly BuilderProblem[];
}
