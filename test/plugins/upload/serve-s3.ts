import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";

/** A storage that speaks the protocol of S3, with one bucket, on this machine. */
export interface S3Storage {
  /** `providerOptions` for it. */
  readonly options: {
    readonly bucket: string;
    readonly endpoint: string;
    readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  };
  stop(): Promise<void>;
}

/** Starts a storage, on a free port by default. It keeps files on disk, and checks signatures. */
export async function serveS3(at = 0): Promise<S3Storage> {
  const directory = await mkdtemp(join(tmpdir(), "s3-test-"));
  const configureBuckets = [{ name: "media", configs: [] }];
  const server = new S3rver({ directory, port: at, address: "127.0.0.1", silent: true, configureBuckets });
  const { port } = await server.run();
  return {
    options: {
      bucket: "media",
      endpoint: `http://127.0.0.1:${port}`,
      // The only key that this server knows.
      credentials: { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" },
    },
    async stop() {
      await server.close();
      await rm(directory, { recursive: true });
    },
  };
}
