import { expect } from "chai";
import { inheritedSocket } from "#core/cli/inherited-socket.js";

describe("the socket of systemd", () => {
  it("is the third descriptor, where it is meant for this process", () => {
    expect(inheritedSocket({ LISTEN_FDS: "1", LISTEN_PID: "7" }, 7)).to.equal(3);
    expect(inheritedSocket({ LISTEN_FDS: "1", LISTEN_PID: "8" }, 7)).to.equal(undefined);
    expect(inheritedSocket({ LISTEN_FDS: "0", LISTEN_PID: "7" }, 7)).to.equal(undefined);
    expect(inheritedSocket({ LISTEN_FDS: "1" }, 7)).to.equal(undefined);
    expect(inheritedSocket({}, 7)).to.equal(undefined);
  });
});
