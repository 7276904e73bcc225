import { unlimited } from "../access/ability.js";
import type { Reader, ReadOptions, ReadSource, ReadText } from "../database/reads/read.js";
import type { PreparedQuery } from "../database/reads/query.js";
import type { ContentModel, ContentType } from "../schema/model.js";
import type { CreateParams, Document, OneParams, ReadParams, ReadResult, VersionParams } from "./documents.js";
import { noteVersion, versionOfStamps } from "./document-version.js";
import { type CursorOrder, encodeCursor } from "./params/cursor.js";
import { idsOf, parseAnswerParams } from "./params/parse-answer.js";
import { parseReadParams, type PreparedRead } from "./params/parse-params.js";
import { CODE_BUDGET, type ReadBudget } from "./params/read-budget.js";
import { ReadCache, readOfDocument } from "./params/read-cache.js";
import { withPrice } from "./read-prices.js";
import type { OutputTransformer } from "./transform-output.js";
import type { Version } from "../database/writes/version.js";

/** What reads are made with. */
export interface ReadsParts {
  readonly model: ContentModel;
  readonly type: ContentType;
  readonly reader: Reader;
  readonly output: OutputTransformer;
  readonly budget: ReadBudget;
  /** Whether hooks around operations may answer in place of a read. */
  readonly isAnswered: boolean;
}

/** Reads of one content-type, without the hooks around operations. */
export class Reads {
  /** The default answer of writes. */
  readonly #answers: ReadCache;

  private readonly model: ContentModel;
  private readonly type: ContentType;
  private readonly reader: Reader;
  private readonly output: OutputTransformer;
  /** Of answers to clients. */
  private readonly budget: ReadBudget;
  private readonly isAnswered: boolean;

  constructor({ model, type, reader, output, budget, isAnswered }: ReadsParts) {
    this.model = model;
    this.type = type;
    this.reader = reader;
    this.output = output;
    this.budget = budget;
    this.isAnswered = isAnswered;
    this.#answers = new ReadCache(model);
  }

  /** The read as it is run: priced by the content where it has to be. @throws PLINTH_QUERY_TOO_COSTLY (400) */
  priced<Read extends PreparedQuery>(prepared: Read): Promise<Read> {
    return withPrice(this.model, this.reader, prepared);
  }

  async read(asked: PreparedQuery, options?: ReadOptions): Promise<ReadResult> {
    const prepared = asked.limits?.most === undefined ? asked : await this.priced(asked);
    const isTransformed = this.isTransformed(prepared);
    if (!isTransformed && !this.isAnswered) {
      const { text, ...rest } = await this.reader.read(prepared, options);
      return new TextResult(text, rest, prepared.query);
    }
    const withStamp = options?.withStamp === "always" ? options.withStamp : undefined;
    const { text, ...rest } = await this.reader.read(prepared, { ...options, withStamp });
    const shown = isTransformed ? await this.output.apply(prepared, text) : text;
    return new TextResult(shown, withHooks(rest), prepared.query);
  }

  /** Whether output hooks see the rows of a read. */
  isTransformed(prepared: PreparedQuery): boolean {
    return this.output.appliesTo(prepared);
  }

  async findMany(params: ReadParams = {}): Promise<Document[]> {
    return [...(await this.read(this.#list(params))).rows()];
  }

  async findFirst(params: ReadParams = {}): Promise<Document | null> {
    const [first] = await this.findMany({ ...params, pagination: { start: 0, limit: 1 } });
    return first ?? null;
  }

  async findOne({ documentId, ...params }: OneParams): Promise<Document | null> {
    const options = { ...this.#reader(params), kind: "one", defaultStatus: "draft", documentId } as const;
    const [found] = (await this.read(parseReadParams(this.model, this.type, withSearch(params), options))).rows();
    return found ?? null;
  }

  async count(params: ReadParams = {}): Promise<number> {
    return await this.reader.count(await this.priced(this.#list(params)));
  }

  /** Checks the filters and sort of a write. @throws PLINTH_QUERY_* (400) */
  checkConditions(params: WriteConditions): void {
    this.#conditionsOf(params);
  }

  /** Which of some rows fulfil the filters of a write; all where there are none. It is for code: nothing limits its cost. */
  async fulfilling(params: WriteConditions, rows: readonly string[]): Promise<ReadonlySet<string>> {
    const { query, values = [] } = this.#conditionsOf(params) ?? {};
    if (!query?.filter) return new Set(rows);
    const asked = { type: this.type.uid, rows: values.length, visible: query.filter };
    return await this.reader.rows({ query: asked, values: [...values, rows] });
  }

  #conditionsOf({ filters, sort, ...params }: WriteConditions): PreparedRead | undefined {
    if (filters === undefined && sort === undefined) return undefined;
    const options = { ...this.#reader(params), kind: "one", defaultStatus: "draft" } as const;
    return parseReadParams(this.model, this.type, { filters, sort }, options);
  }

  /** A read of what a write is going to return; made before the write, so that wrong parameters change nothing. */
  answerTo(params: Omit<CreateParams, "data">, documentId: string): PreparedQuery {
    const { fields, populate, selection, locale, status } = params;
    const reader = this.#reader(params);
    const { visibility, ability, facts, asStored, withPrivate } = reader;
    const options = { ...reader, kind: "written", defaultStatus: "draft", documentId } as const;
    const returned = selection ? { selection, ...options } : options;
    // A write returns the locale that it wrote, never a fallback.
    const read = { fields, populate, locale, status, fallbackLocale: [] };
    const parse = () => parseAnswerParams(this.model, this.type, read, returned);
    if (selection || fields !== undefined || populate !== undefined || facts || asStored) return parse();
    const text = JSON.stringify([visibility, withPrivate, status ?? 0, locale ?? 0]);
    return readOfDocument(this.#answers.get(text, ability, parse), documentId);
  }

  /**
   * What a write returns: the document as its writer may read it; of one that they may write and not read, its ids.
   *
   * @param ends - whether the transaction may end with the read; it does if nothing else is left to do.
   */
  async answer(prepared: PreparedQuery, ends = false): Promise<readonly Document[]> {
    const { visible } = prepared.query;
    const isLast = ends && !visible && !this.isTransformed(prepared);
    const rows = (await this.read(prepared, { ends: isLast })).rows();
    return rows.length > 0 || !visible ? rows : (await this.read(idsOf(prepared))).rows();
  }

  /** The given versions of one document, as a read returns them; at most one statement for drafts and one for published rows. */
  async entries(params: VersionParams, versions: readonly Version[]): Promise<readonly Document[]> {
    const groups = [true, false].map((isDraft) => versions.filter((version) => version.isDraft === isDraft));
    const entries: Document[] = [];
    for (const group of groups) if (group.length > 0) entries.push(...(await this.#entriesOf(params, group)));
    return entries;
  }

  async #entriesOf(asked: VersionParams, versions: readonly Version[]): Promise<readonly Document[]> {
    const { documentId, fields, populate, selection } = asked;
    const locales = versions.map(({ locale }) => locale);
    const filters = { documentId, ...(this.type.isLocalized ? { locale: { $in: locales } } : {}) };
    const status = versions[0]?.isDraft ? "draft" : "published";
    const locale = this.type.isLocalized ? { locale: "*" } : { fallbackLocale: [] };
    const params = { filters, status, fields, populate, ...locale } as const;
    const options = { ...LIST, ...this.#reader(asked), ...(selection ? { selection } : {}) };
    return await this.answer(parseAnswerParams(this.model, this.type, params, options));
  }

  #list(params: ReadParams): PreparedQuery {
    return parseReadParams(this.model, this.type, withSearch(params), { ...LIST, ...this.#reader(params) });
  }

  /** Who reads, and what they ask for beside the grammar of requests. */
  #reader({ visibility = "code", ability = unlimited, facts, asStored, withPrivate = false }: ReaderParams) {
    const budget = visibility === "public" ? this.budget : CODE_BUDGET;
    return { visibility, ability, budget, facts, asStored, withPrivate } as const;
  }
}

type WriteConditions = Pick<ReadParams, "filters" | "sort"> & ReaderParams;

type ReaderParams = Pick<ReadParams, "visibility" | "ability" | "facts" | "asStored" | "withPrivate">;

/** What is known of a text in which hooks had a part. */
function withHooks({ source, ...rest }: Omit<ReadText, "text">): Omit<ReadText, "text"> {
  if (!source) return { ...rest, source };
  const { tables, types } = source;
  const stampNow: ReadSource["stampNow"] = (from) => source.stampNow(from);
  const stampOf: ReadSource["stampOf"] = (stamps) => source.stampOf(stamps);
  return { ...rest, source: { decides: false, tables, types, stampNow, stampOf } };
}

/** `search` of code is `_q` of the grammar. */
function withSearch({ search, ...params }: ReadParams): object {
  return search === undefined ? params : { ...params, _q: search };
}

/** A list as code reads it. */
const LIST = { kind: "list", defaultStatus: "draft" } as const;

/** A read's text, with its rows parsed when they are asked for. */
class TextResult implements ReadResult {
  #rows: readonly Document[] | undefined;

  constructor(
    readonly text: string,
    private readonly beside: Omit<ReadText, "text">,
    private readonly order: CursorOrder,
  ) {}

  get total(): number | undefined {
    return this.beside.total;
  }

  get nextCursor(): string | undefined {
    const { place } = this.beside;
    return place === undefined ? undefined : encodeCursor(this.order, JSON.parse(place) as readonly unknown[]);
  }

  get version(): string | undefined {
    const { stamps } = this.beside;
    return stamps === undefined ? undefined : versionOfStamps(stamps.split(","));
  }

  get source(): ReadSource | undefined {
    return this.beside.source;
  }

  get stamp(): string | undefined {
    return this.beside.stamp;
  }

  rows(): readonly Document[] {
    const parse = (): readonly Document[] => {
      const parsed = JSON.parse(this.text) as readonly Document[] | Document | null;
      if (parsed === null) return [];
      if (Array.isArray(parsed)) return parsed as readonly Document[];
      const { version } = this;
      if (version !== undefined) noteVersion(parsed as Document, version);
      return [parsed as Document];
    };
    this.#rows ??= parse();
    return this.#rows;
  }
}
