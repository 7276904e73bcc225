import type { HttpContext } from "@plinth/core";
import type { UploadConfig } from "../config.js";
import type { ReceivedFile } from "../contract.js";
import { MalformedUploadError, NoFilesError, TooLargeError } from "../errors.js";
import { FORM_ERRORS } from "./formidable-internals.js";
import { withTemporaryDirectory } from "./temporary-directory.js";

/** The content of a request. Its files exist until the work with it is done. */
export interface Received {
  /** Those of the field `files`, in order. */
  readonly files: readonly ReceivedFile[];
  /** Fields by name; a repeated one is a list. A JSON body gives its members. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A file of koa-body. */
interface FormFile {
  readonly filepath: string;
  readonly originalFilename: string | null;
  readonly size: number;
}

/** The name of the field that files come in. @source plugins/content-api/WIRE.md#files */
const FIELD = "files";

/**
 * Receives a multipart request on disk, and removes everything when `work` is done, however it ends. Another body has
 * no files, and the fields that its JSON has.
 *
 * @throws PLINTH_UPLOAD_TOO_LARGE (413), PLINTH_UPLOAD_MALFORMED, PLINTH_UPLOAD_NO_FILES (400)
 */
export function receive<T>(
  ctx: HttpContext,
  config: UploadConfig,
  work: (received: Received) => Promise<T>,
): Promise<T> {
  if (!ctx.request.is("multipart/*")) return work({ files: [], fields: fieldsOf(ctx.request.body) });
  return withTemporaryDirectory(config.temporaryDirectory, async (directory) =>
    work(await parse(ctx, config, directory)),
  );
}

async function parse(ctx: HttpContext, config: UploadConfig, directory: string): Promise<Received> {
  assertLength(ctx, config);
  const { maxFiles, maxFields, sizeLimit, totalSizeLimit, fieldsSizeLimit } = config;
  // Loaded with the first form, because it is large.
  const { koaBody } = await import("koa-body");
  const begun: unknown[] = [];
  const read = koaBody({
    multipart: true,
    json: false,
    text: false,
    urlencoded: false,
    patchNode: false,
    formidable: {
      uploadDir: directory,
      maxFiles,
      maxFileSize: sizeLimit,
      maxTotalFileSize: totalSizeLimit,
      maxFields,
      maxFieldsSize: fieldsSizeLimit,
      onFileBegin: (_field, file) => begun.push(file),
    },
    onError: (error) => {
      throw toUploadError(error, config);
    },
  });
  try {
    await unlessCut(
      ctx.req,
      read(ctx as unknown as Parameters<typeof read>[0], async () => undefined),
    );
  } finally {
    // After a failure the parser may leave the request paused; the client has to be able to finish it.
    ctx.req.resume();
  }
  const { files } = ctx.request as unknown as { readonly files: Readonly<Record<string, FormFile | FormFile[]>> };
  // The parser lists them in the order in which they were written: small ones before large ones.
  const inOrder = [files[FIELD] ?? []].flat().sort((a, b) => begun.indexOf(a) - begun.indexOf(b));
  return { files: inOrder.map(toReceived), fields: fieldsOf(ctx.request.body) };
}

/**
 * What the parser comes to, unless the connection is cut first: of a request that ended before it began to listen, the
 * parser never gets.
 *
 * @throws PLINTH_UPLOAD_MALFORMED (400)
 */
async function unlessCut(request: HttpContext["req"], parsed: Promise<unknown>): Promise<void> {
  const listening = new AbortController();
  const cut = new Promise<never>((_resolve, reject) => {
    const refuse = () => {
      if (!request.complete) reject(new MalformedUploadError({ reason: "the connection was closed before its end" }));
    };
    if (request.destroyed) refuse();
    else request.once("close", refuse);
    listening.signal.addEventListener("abort", () => request.off("close", refuse));
  });
  try {
    await Promise.race([parsed, cut]);
  } finally {
    listening.abort();
  }
}

/** @throws PLINTH_UPLOAD_TOO_LARGE (413) for a request that says beforehand that it is */
function assertLength(
  { request }: HttpContext,
  { totalSizeLimit, fieldsSizeLimit, maxFiles, maxFields }: UploadConfig,
) {
  const headers = (maxFiles + maxFields) * PART_HEADERS;
  if ((request.length ?? 0) <= totalSizeLimit + fieldsSizeLimit + headers) return;
  throw new TooLargeError({ limit: `its files may have ${totalSizeLimit} bytes together (totalSizeLimit)` });
}

/** An upper bound for the bytes before the content of a part. */
const PART_HEADERS = 4096;

const toReceived = ({ filepath, originalFilename, size }: FormFile): ReceivedFile => ({
  path: filepath,
  name: originalFilename ?? "",
  size,
});

function fieldsOf(body: unknown): Received["fields"] {
  return typeof body === "object" && body !== null && !Array.isArray(body) ? { ...body } : {};
}

function toUploadError(error: Error & { readonly code?: unknown }, config: UploadConfig): Error {
  const options = { cause: error };
  if (error.code === FORM_ERRORS.noEmptyFiles) return new NoFilesError({}, options);
  const limit = limitOf(error.code, config);
  if (limit !== undefined) return new TooLargeError({ limit }, options);
  return new MalformedUploadError({ reason: error.message }, options);
}

function limitOf(code: unknown, config: UploadConfig): string | undefined {
  switch (code) {
    case FORM_ERRORS.biggerThanMaxFileSize:
      return `a file may have ${config.sizeLimit} bytes (sizeLimit)`;
    case FORM_ERRORS.biggerThanTotalMaxFileSize:
      return `its files may have ${config.totalSizeLimit} bytes together (totalSizeLimit)`;
    case FORM_ERRORS.maxFilesExceeded:
      return `a request may have ${config.maxFiles} files (maxFiles)`;
    case FORM_ERRORS.maxFieldsExceeded:
      return `a request may have ${config.maxFields} fields (maxFields)`;
    case FORM_ERRORS.maxFieldsSizeExceeded:
      return `its fields may have ${config.fieldsSizeLimit} bytes together (fieldsSizeLimit)`;
    default:
      return undefined;
  }
}
