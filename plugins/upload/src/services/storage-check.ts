import type { HealthCheck } from "@plinth/core/http";
import type { StorageProvider } from "../contract.js";

/** Milliseconds between two looks: one may be a request to another machine, which is paid for. */
const INTERVAL = 15_000;

/**
 * The health check `storage`: degraded where nothing can be stored, or there is no room for one file of the size that is
 * allowed. Content is read and written all the same, so it is never more than that. Undefined for a provider that does not
 * look at its storage.
 *
 * @param sizeLimit - bytes.
 */
export function storageCheck(storage: StorageProvider, sizeLimit: number): HealthCheck | undefined {
  if (!storage.check) return undefined;
  const look = storage.check.bind(storage);
  const provider = storage.name;
  return {
    name: "storage",
    interval: INTERVAL,
    advice: "Uploads fail until then: see `providerOptions` of upload, and the room and the rights of its storage.",
    run: async () => {
      const { free, problem } = await look();
      const found = { provider, ...(free === undefined ? {} : { free }) };
      const reason = problem ?? (free !== undefined && free < sizeLimit ? describeRoom(free, sizeLimit) : undefined);
      return reason === undefined ? { status: "ok", ...found } : { status: "degraded", ...found, reason };
    },
  };
}

const describeRoom = (free: number, sizeLimit: number): string =>
  `there is room for ${free} bytes, and one file may have ${sizeLimit} (\`sizeLimit\`)`;
