import { channels, resultOf } from "@plinth/core/telemetry";
import type { ReceivedFile } from "../contract.js";

/** Runs what stores files, and reports each of them by `plinth:upload`. */
export async function reportUploads<T>(
  app: object,
  files: readonly ReceivedFile[],
  store: () => Promise<T>,
): Promise<T> {
  const { upload } = channels;
  if (!upload.hasSubscribers) return await store();
  try {
    const stored = await store();
    for (const { size } of files) upload.publish({ app, result: "accepted", bytes: size });
    return stored;
  } catch (error) {
    const result = resultOf(error);
    for (const { size } of files) upload.publish({ app, result, bytes: size });
    throw error;
  }
}
