import type { RequestInfo } from "@plinth/core/http";
import { expect } from "chai";
import { parseConfig } from "#plugins/live/src/config.js";
import { StreamPlaces } from "#plugins/live/src/stream-places.js";

const from = (ip: string, id?: string) => ({ ip, actor: { kind: "user", id }, headers: {} }) as unknown as RequestInfo;

/** How many streams one caller gets of the places of a configuration, out of 1,500 that it asks for. */
function countTaken(places: StreamPlaces, request: (index: number) => RequestInfo): number {
  let taken = 0;
  for (let index = 0; index < 1_500; index += 1)
    try {
      places.take(request(index));
      taken += 1;
    } catch (error) {
      expect(error).to.include({ code: "PLINTH_LIVE_TOO_MANY", status: 429 });
    }
  return taken;
}

const placesOf = (config: object) => new StreamPlaces(parseConfig(config));

describe("the places for streams", () => {
  it("are 100 for one address without an account, and a tenth of all for one account", () => {
    const places = placesOf({});
    expect(countTaken(places, () => from("192.0.2.1"))).to.equal(100);
    expect(countTaken(places, () => from("192.0.2.2"))).to.equal(100);
    expect(countTaken(places, () => from("192.0.2.1", "ada"))).to.equal(1_000);
    const addresses = (index: number) => from(`2001:db8::${index.toString(16)}`);
    expect(countTaken(places, addresses), "a network of IPv6 is one").to.equal(100);
  });

  it("are as many as the configuration says, and no more for an address than for an account unless it says so", () => {
    const anonymous = () => from("192.0.2.1");
    expect(countTaken(placesOf({ maxPerAddress: 500 }), anonymous)).to.equal(500);
    expect(countTaken(placesOf({ maxPerCaller: 20 }), anonymous)).to.equal(20);
    expect(countTaken(placesOf({ maxPerCaller: 20, maxPerAddress: 30 }), anonymous)).to.equal(30);
    expect(countTaken(placesOf({ maxPerCaller: 2_000 }), anonymous)).to.equal(100);
  });

  it("of a token of the configuration are those of an account, wherever it is used", () => {
    const sent = (authorization: string) =>
      ({ ip: "192.0.2.1", actor: { kind: "token" }, headers: { authorization } }) as unknown as RequestInfo;
    const places = placesOf({});
    expect(countTaken(places, () => sent("Bearer one"))).to.equal(1_000);
    expect(countTaken(places, () => sent("Bearer two"))).to.equal(1_000);
    expect(countTaken(places, () => from("192.0.2.1"))).to.equal(100);
  });

  it("are free again when they are given back", () => {
    const places = placesOf({ maxPerAddress: 1 });
    const leave = places.take(from("192.0.2.1"));
    expect(() => places.take(from("192.0.2.1"))).to.throw("1 are open for this account, or from this address");
    leave();
    places.take(from("192.0.2.1"));
  });
});
