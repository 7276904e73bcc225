import type { Database } from "@plinth/core";
import { SettledIds } from "@plinth/core/reads";
import { expect } from "chai";

/** What a server answers: the id that was taken last, the next transaction id, and the oldest that runs. */
interface Server {
  id: number;
  xid: number;
  oldest: number;
  /** Called once it has answered. */
  crash?(): void;
}

const askedOf = (server: Server): Database =>
  ({
    query: async ({ values: [known] }: { readonly values: readonly number[] }) => {
      const { id, xid, oldest } = server;
      const isNew = id > (known ?? 0);
      server.crash?.();
      return [
        {
          id: String(id),
          xid: isNew ? String(xid) : null,
          oldest: String(oldest),
          beyond: String(Math.max(xid, oldest)),
          beside: null,
        },
      ];
    },
  }) as unknown as Database;

describe("how far the ids of a table are settled", () => {
  it("is forgotten with a server that crashed, and gives an id again that nobody committed", async () => {
    const server = { id: 66, xid: 1_000, oldest: 1_001 };
    const ids = new SettledIds(askedOf(server), "ids");
    expect(await ids.ask()).to.include({ id: 66, isWaiting: false });
    ids.forget();
    // Somebody has taken 66 again, and works.
    Object.assign(server, { xid: 1_001, oldest: 1_000 });
    expect(await ids.ask()).to.include({ id: 0, isWaiting: true });
    Object.assign(server, { id: 67, xid: 1_003, oldest: 1_002 });
    expect(await ids.ask()).to.include({ id: 66, isWaiting: true });
  });

  it("counts nothing that was asked of the server before", async () => {
    const server: Server = { id: 66, xid: 1_000, oldest: 990 };
    const ids = new SettledIds(askedOf(server), "ids");
    server.crash = () => {
      delete server.crash;
      server.id = 65;
      ids.forget();
    };
    expect(await ids.ask()).to.include({ id: 0, isWaiting: true });
    server.oldest = 2_000;
    expect(await ids.ask()).to.include({ id: 65, isWaiting: false });
  });

  it("begins again where the last id has gone back, as it does by a crash", async () => {
    const server: Server = { id: 66, xid: 1_000, oldest: 1_001 };
    const ids = new SettledIds(askedOf(server), "ids");
    expect(await ids.ask()).to.include({ id: 66 });
    Object.assign(server, { id: 40, xid: 1_001, oldest: 1_001 });
    expect(await ids.ask()).to.include({ id: 40, taken: 40, isWaiting: false });
  });
});
