import { getEventListeners } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import type { ReadyDelivery } from "#plugins/webhooks/src/deliveries/delivery-store.js";
import { tryDelivery } from "#plugins/webhooks/src/deliveries/try-delivery.js";
import type { KnownEndpoint } from "#plugins/webhooks/src/endpoints/known-endpoint.js";
import { Requests } from "#plugins/webhooks/src/requests/send-request.js";

const delivery = { id: "1", event: "7", part: 1, body: "{}", format: "standard", trace: null } as ReadyDelivery;
const endpoint = { headers: {}, secrets: [`whsec_${Buffer.alloc(32).toString("base64")}`] } as unknown as KnownEndpoint;

describe("a try of a webhook", () => {
  let respond: (response: ServerResponse) => void = () => undefined;
  let connections = 0;
  const server = createServer((request, response) => {
    request.resume().on("end", () => respond(response));
  }).on("connection", () => {
    connections += 1;
  });
  const requests = new Requests(undefined);
  before(() => new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening)));
  after(() => {
    requests.close();
    server.closeAllConnections();
    server.close();
  });
  const attempt = (signal = new AbortController().signal) => {
    const targetOf = () => new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    return tryDelivery(delivery, endpoint, { requests, targetOf, messageIdOf: () => "evt_a", now: () => 1, signal });
  };

  it("has 10 s, the answer's body included", async () => {
    const drips: NodeJS.Timeout[] = [];
    respond = (response) => {
      response.writeHead(200);
      drips.push(setInterval(() => response.write("."), 100));
    };
    const start = performance.now();
    const outcome = await attempt();
    for (const drip of drips) clearInterval(drip);
    expect(outcome).to.deep.equal({ isGone: false, error: "no answer within 10 s" });
    expect(performance.now() - start).to.be.at.least(9_900);
  });

  it("reads 16 kB of an answer that does not end", async () => {
    respond = (response) => {
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(10_000)));
        if (!response.destroyed) response.once("drain", more);
      };
      response.writeHead(202);
      more();
    };
    expect(await attempt()).to.deep.equal({ status: 202, answer: "x".repeat(16_384), isGone: false });
  });

  it("goes over a connection that is open, and again over a new one where the receiver has closed that", async () => {
    respond = (response) => void response.end("kept");
    await attempt();
    const before = connections;
    expect(await attempt()).to.include({ status: 200, answer: "kept" });
    expect(connections).to.equal(before);
    let count = 0;
    respond = (response) => {
      count += 1;
      if (count === 1) response.socket?.resetAndDestroy();
      else response.end("again");
    };
    expect(await attempt()).to.include({ status: 200, answer: "again" });
    expect(connections).to.equal(before + 1);
    count = 0;
    const fresh = new Requests(undefined);
    const failed = await fresh
      .send({
        url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
        headers: {},
        body: "",
        signal: AbortSignal.timeout(5_000),
      })
      .catch((error: NodeJS.ErrnoException) => error.code);
    fresh.close();
    expect(failed).to.equal("ECONNRESET");
  });

  it("ends where the receiver wants to speak another protocol: no delivery waits for that for ever", async () => {
    respond = ({ socket }) =>
      void socket?.write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n");
    expect(await attempt()).to.deep.equal({ status: 101, answer: "", isGone: false, error: "it answered 101" });
  });

  it("ends at once when the process stops, and keeps what has no place in the database out of the answer", async () => {
    respond = () => undefined;
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("the process stops")), 50);
    expect(await attempt(stop.signal)).to.deep.equal({ isGone: false, error: "the process stops" });
    respond = (response) => void response.end("a\0b");
    expect(await attempt()).to.include({ answer: "a\uFFFDb" });
  });

  it("leaves nothing on the signal of the process, which lives on", async () => {
    respond = (response) => void response.end("done");
    const { signal } = new AbortController();
    for (let count = 0; count < 3; count += 1) await attempt(signal);
    expect(getEventListeners(signal, "abort")).to.deep.equal([]);
    // What depends on a signal has no listener on it.
    const inside = Object.getOwnPropertySymbols(signal).filter((key) => key.description?.includes("Dependant"));
    const dependants = inside.map((key) => Object(signal)[key] as Set<unknown> | null);
    expect(dependants.map((set) => set?.size ?? 0).filter((size) => size > 0)).to.deep.equal([]);
  });

  it("ends at once where the process has stopped before", async () => {
    respond = (response) => void response.end("done");
    const outcome = await attempt(AbortSignal.abort(new Error("the process has stopped")));
    expect(outcome).to.deep.equal({ isGone: false, error: "the process has stopped" });
  });
});
