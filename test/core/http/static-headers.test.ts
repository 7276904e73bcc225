import { expect } from "chai";
import { StaticHeaders } from "#core/http/static-headers.js";

describe("the headers of every answer", () => {
  it("are made once for each origin, and are kept while all of them have no more than 2,000,000 characters", async () => {
    const made: string[] = [];
    const headers = new StaticHeaders([
      (ctx, next) => {
        made.push(ctx.get("origin"));
        ctx.set("Content-Security-Policy", "x".repeat(100_000));
        return next();
      },
    ]);
    for (let i = 0; i < 30; i++) await headers.of(`https://${i}.example.com`);
    const last = await headers.of("https://29.example.com");
    expect(made).to.have.length(30);
    expect(last).to.include("x".repeat(100_000));
    await headers.of("https://0.example.com");
    expect(made).to.have.length(31);
  });

  it("are made each time for an origin that is longer than any", async () => {
    let made = 0;
    const headers = new StaticHeaders([
      (_ctx, next) => {
        made += 1;
        return next();
      },
    ]);
    for (const _ of [1, 2]) await headers.of(`https://${"a".repeat(400)}.example.com`);
    expect(made).to.equal(2);
  });
});
