import { expect } from "chai";
import { describeProblem, describeQuery, withoutCredentials } from "#core/http/describe-request.js";

describe("a request in a line for people", () => {
  it("shows names of a query string, and not what somebody looks for", () => {
    const cases: Readonly<Record<string, string>> = {
      "": "",
      "populate[author][fields]=name&sort=title:desc": "?populate[author][fields]=name&sort=title:desc",
      "populate[author][filters][email][$eq]=bob@x.org": "?populate[author][filters][emai…=…",
      "pagination%5Bpage%5D=2&status=draft&locale=de": "?pagination[page]=2&status=draft&locale=de",
      "filters[title][$eq]=Notes&_q=notes&token=abc&code=": "?filters[title][$eq]=…&_q=…&token=…&code=…",
      [`sort=${"a".repeat(31)}&flag`]: "?sort=…&flag",
      "sort=%E4%zz": "?sort=%E4%zz",
    };
    for (const [search, shown] of Object.entries(cases)) expect(describeQuery(search)).to.equal(shown);
    expect(describeQuery(`populate=a${"&populate=a".repeat(5000)}`))
      .to.have.length(121)
      .and.match(/…$/);
  });

  it("says each problem of a body", () => {
    const error = { status: 400, name: "ValidationError", message: "2 errors occurred" };
    const errors = [{ message: "title must be a string" }, { message: "pages must be a number" }];
    expect(describeProblem({ ...error, details: { errors } })).to.equal(
      "title must be a string; pages must be a number",
    );
    expect(describeProblem(error)).to.equal("2 errors occurred");
    expect(describeProblem({ ...error, message: "x".repeat(1000) })).to.have.length(301);
  });

  it("hides what the request has in its headers", () => {
    const headers = { authorization: "Bearer only-for-my-machine", cookie: "a=b; session=my-own-session" };
    expect(withoutCredentials("?only-for-my-machine=my-own-session&b=a", headers)).to.equal("?…=…&b=a");
  });
});
