import type { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  type ObjectCannedACL,
  paginateListObjectsV2,
  S3Client,
  type S3ClientConfig,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import {
  assertKey,
  type ByteRange,
  ConfigInvalidError,
  type FileToStore,
  isKey,
  type StorageEntry,
  type StorageProvider,
  type StorageState,
  type StoredFile,
} from "@plinth/plugin-upload";
import type { S3Options } from "./s3-options.js";

/** Parts of one file that are on their way at once; with `partSize`, what a file takes of memory. */
const PARTS_AT_ONCE = 2;
/** Milliseconds that a connection may take to open. */
const CONNECT_TIMEOUT = 3_000;
/** Parts that S3 takes of one file. */
const MAX_PARTS = 10_000;
/** Caches ask whether they still have the latest. */
const REPLACEABLE = "public, no-cache";
/** Types that a browser would run: they are downloaded instead. */
const RUNNABLE = /^(?:text\/html|application\/xhtml\+xml|application\/xml|text\/xml|image\/svg\+xml)$/;

/** Keeps files in S3, or in a storage that speaks its protocol. */
export class S3Provider implements StorageProvider {
  readonly name = "s3";
  readonly #client: S3Client;

  constructor(private readonly options: S3Options) {
    this.#client = new S3Client(clientConfig(options));
  }

  async put({ key, mime, size, isFinal, stream }: FileToStore): Promise<StoredFile> {
    const { acl, cacheControl, partSize } = this.options;
    const body = stream();
    const upload = new Upload({
      client: this.#client,
      params: {
        ...this.#place(key),
        Body: body,
        ContentType: mime,
        CacheControl: isFinal ? cacheControl : REPLACEABLE,
        ...(RUNNABLE.test(mime) ? { ContentDisposition: "attachment" } : {}),
        ...(acl === undefined ? {} : { ACL: acl as ObjectCannedACL }),
      },
      queueSize: PARTS_AT_ONCE,
      partSize: Math.max(partSize, Math.ceil(size / MAX_PARTS)),
      // Its error would hide why the file could not be sent.
      leavePartsOnError: true,
    });
    try {
      await upload.done();
    } catch (error) {
      throw await this.#removeParts(key, upload.uploadId, error);
    } finally {
      body.destroy();
    }
    return { url: await this.#urlOf(key) };
  }

  async open(key: string, range?: ByteRange): Promise<Readable> {
    const Range = range && `bytes=${range.start}-${range.end ?? ""}`;
    const { Body } = await this.#client.send(
      new GetObjectCommand({ ...this.#place(key), ...(Range ? { Range } : {}) }),
    );
    return Body as Readable;
  }

  async delete(key: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand(this.#place(key)));
  }

  async *list(): AsyncIterable<StorageEntry> {
    const { bucket, prefix } = this.options;
    for await (const { Contents = [] } of paginateListObjectsV2(
      { client: this.#client },
      { Bucket: bucket, Prefix: prefix },
    )) {
      for (const { Key = "", Size = 0, LastModified = new Date(0) } of Contents) {
        const key = Key.slice(prefix.length);
        // Foreign objects in the same bucket are ignored.
        if (isKey(key)) yield { key, size: Size, modifiedAt: LastModified };
      }
    }
  }

  signUrl(key: string): Promise<string> {
    const expiresIn = this.options.signedUrlExpires;
    return getSignedUrl(this.#client, new GetObjectCommand(this.#place(key)), { expiresIn });
  }

  /** Signed urls are those of the storage, also where others are of a server before it. */
  async origins(): Promise<readonly string[]> {
    const urls = [await this.#urlOf("a"), await this.signUrl("a")];
    return [...new Set(urls.map((url) => new URL(url).origin))];
  }

  /** @throws PLINTH_UPLOAD_CONFIG_INVALID (500) without the bucket, and the client's error where nothing answers */
  async check(): Promise<StorageState> {
    const { bucket } = this.options;
    try {
      await this.#client.send(new HeadBucketCommand({ Bucket: bucket }));
      return {};
    } catch (error) {
      const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
      if (status === 404)
        throw new ConfigInvalidError({ problems: [`providerOptions.bucket: there is no "${bucket}"`] });
      // A key that may only read and write objects gets the same answer as a wrong one.
      if (status === 403)
        return { problem: `the key is wrong, or may not look at the bucket "${bucket}" (s3:ListBucket)` };
      throw error;
    }
  }

  close(): Promise<void> {
    this.#client.destroy();
    return Promise.resolve();
  }

  /** The error of a file that could not be sent, once its parts are deleted. */
  async #removeParts(key: string, UploadId: string | undefined, error: unknown): Promise<unknown> {
    if (UploadId === undefined) return error;
    try {
      await this.#client.send(new AbortMultipartUploadCommand({ ...this.#place(key), UploadId }));
      return error;
    } catch (second) {
      return new AggregateError([error, second], error instanceof Error ? error.message : String(error));
    }
  }

  /** @throws PLINTH_UPLOAD_KEY_INVALID (500) */
  #place(key: string): { readonly Bucket: string; readonly Key: string } {
    assertKey(key);
    return { Bucket: this.options.bucket, Key: `${this.options.prefix}${key}` };
  }

  /** Keys need no escaping: they are letters, digits, `_`, `-` and `.`. */
  async #urlOf(key: string): Promise<string> {
    const { baseUrl, bucket, endpoint, forcePathStyle, prefix } = this.options;
    const path = `${prefix}${key}`;
    if (baseUrl !== undefined) return `${baseUrl}/${path}`;
    const host = new URL(endpoint ?? `https://s3.${await this.#client.config.region()}.amazonaws.com`);
    if (forcePathStyle) return `${host.href.replace(/\/$/, "")}/${bucket}/${path}`;
    host.host = `${bucket}.${host.host}`;
    return new URL(path, host).href;
  }
}

function clientConfig({ region, endpoint, credentials, forcePathStyle, timeout }: S3Options): S3ClientConfig {
  return {
    forcePathStyle,
    // Together under 15 seconds: who uploads waits for an answer.
    maxAttempts: 2,
    requestHandler: { connectionTimeout: Math.min(timeout, CONNECT_TIMEOUT), socketTimeout: timeout },
    // Many storages other than Amazon's do not support newer checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // A copy: the client writes into it.
    ...(credentials ? { credentials: { ...credentials } } : {}),
    // Storages other than Amazon's have no regions, but need one in the signature.
    ...(region !== undefined ? { region } : endpoint !== undefined ? { region: "us-east-1" } : {}),
    ...(endpoint === undefined ? {} : { endpoint }),
  };
}
