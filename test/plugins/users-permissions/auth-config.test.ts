import { expect } from "chai";
import { parseConfig } from "#plugins/users-permissions/src/config.js";

function problemsOf(raw: unknown): readonly string[] {
  try {
    parseConfig(raw);
  } catch (error) {
    return (error as { details: { problems: readonly string[] } }).details.problems;
  }
  return [];
}

describe("the configuration of signing in", () => {
  it("is complete when nothing is said", () => {
    const config = parseConfig(undefined);
    expect(config.jwtManagement).to.equal("legacy-support");
    expect(config.rateLimit).to.include({ enabled: true, max: 10, interval: 60 });
    expect(config.register).to.deep.equal({ enabled: true, allowedFields: [] });
    expect(config.emailConfirmation.enabled).to.equal(false);
    expect(Object.keys(config.mail.templates)).to.deep.equal(["resetPassword", "emailConfirmation", "emailChanged"]);
  });

  it("keeps what is not said of a part", () => {
    const { rateLimit, mail } = parseConfig({ rateLimit: { max: 3 }, mail: { smtp: "", from: "us@example.com" } });
    expect(rateLimit).to.include({ max: 3, maxPerAddress: 15, interval: 60 });
    expect(mail).to.include({ smtp: undefined, from: "us@example.com" });
  });

  it("is refused with everything that is wrong with it", () => {
    const problems = problemsOf({
      jwtManagement: "both",
      sessions: { idleLifespan: 0, httpOnly: "yes", secureCookie: 1 },
      register: { allowedFields: ["role"], enabled: 1 },
      resetPassword: { url: "javascript:alert(1)", lifespan: "1h" },
      emailConfirmation: { enabled: "no", redirectTo: "/welcome" },
      mail: { smtp: "http://example.com", from: 1 },
      rateLimit: { max: -1, redis: "http://example.com", enabled: 0 },
    });
    expect(problems.map((problem) => problem.split(/[ .]/)[0])).to.deep.equal([
      "jwtManagement",
      ...new Array(3).fill("sessions"),
      ...new Array(2).fill("register"),
      ...new Array(2).fill("resetPassword"),
      ...new Array(2).fill("emailConfirmation"),
      ...new Array(2).fill("mail"),
      ...new Array(3).fill("rateLimit"),
    ]);
  });

  it("never lets users register with what decides who they are", () => {
    for (const field of ["role", "confirmed", "blocked", "provider", "sessionVersion", "resetPasswordToken"]) {
      expect(problemsOf({ register: { allowedFields: [field] } }), field).to.have.length(1);
    }
    expect(problemsOf({ register: { allowedFields: ["displayName"] } })).to.deep.equal([]);
  });

  it("names unknown keys, and forms that are none", () => {
    expect(problemsOf({ mail: { stmp: "smtp://x" } })[0]).to.match(/^mail\.stmp is not known\. Did you mean "smtp"\?/);
    expect(problemsOf({ mail: "smtp://x" })[0]).to.match(/^mail must be an object/);
    expect(problemsOf({ mail: { templates: { resetPassword: { subject: 1 } } } })[0]).to.match(
      /^mail\.templates\.resetPassword\.subject must be a string, and is 1/,
    );
    const misspelt = {
      resetPassword: { subject: "", text: "{{ lnik }}" },
      another: { subject: "", text: "{{ any }}" },
    };
    expect(problemsOf({ mail: { templates: misspelt } })).to.have.length(1);
  });
});
