import { expect } from "chai";
import { changedValues, takeStored } from "#plugins/admin/client/form/take-stored.js";
import { draftOf, valuesOf } from "#plugins/admin/client/screens/settings/tokens/token-draft.js";
import { withActions } from "#plugins/admin/client/screens/settings/with-actions.js";

interface Values {
  readonly name: string;
  readonly events: readonly string[];
  readonly enabled: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

const known: Values = { name: "Site", events: ["entry.publish"], enabled: true };

describe("a form of the settings", () => {
  it("sends what was changed, and nothing else", () => {
    expect(changedValues({ ...known }, known)).to.deep.equal({});
    expect(changedValues({ ...known, events: ["entry.publish"], name: "Shop" }, known)).to.deep.equal({ name: "Shop" });
    expect(changedValues({ ...known, headers: {} }, known)).to.deep.equal({ headers: {} });
  });

  it("takes over what changed elsewhere, and keeps what was typed", () => {
    const typed = { ...known, name: "Shop" };
    expect(takeStored(typed, known, { ...known, enabled: false })).to.deep.equal({ ...typed, enabled: false });
  });

  it("shows what was saved as it is stored, without what is never shown, and keeps what was typed meanwhile", () => {
    const sent = { ...known, name: " Shop ", headers: { authorization: "secret" } };
    const now = { ...sent, events: ["entry.publish", "entry.create"] };
    const stored = { ...known, name: "Shop" };
    expect(takeStored(now, sent, stored)).to.deep.equal({ ...stored, events: now.events });
  });
});

describe("ticks of a matrix of actions", () => {
  it("are added to those that are there, and taken out of them", () => {
    const granted = new Set(["find", "findOne"]);
    expect([...withActions(granted, ["create", "find"], true)]).to.deep.equal(["find", "findOne", "create"]);
    expect([...withActions(granted, ["find"], false)]).to.deep.equal(["findOne"]);
    expect([...granted]).to.deep.equal(["find", "findOne"]);
  });
});

describe("the form of a token", () => {
  it("keeps the end of the token to the millisecond, also one that is over, until another one is chosen", () => {
    const expiresAt = "2001-01-31T10:20:30.456Z";
    const shown = { name: "Site", description: null, type: "read-only" as const, permissions: [], expiresAt };
    const rest = { documentId: "a", lastUsedAt: null, createdAt: expiresAt, updatedAt: expiresAt };
    const draft = draftOf({ ...rest, ...shown } as Parameters<typeof draftOf>[0], new Set());
    expect(valuesOf({ ...draft, name: "Shop" }, Date.now(), expiresAt)).to.include({ name: "Shop", expiresAt });
    const later = valuesOf({ ...draft, endsAt: "2035-01-31T10:20" }, Date.now(), expiresAt).expiresAt;
    expect(later).to.match(/^2035-01-31T.*:00.000Z$/);
    expect(valuesOf({ ...draft, life: "never" }, Date.now(), expiresAt).expiresAt).to.equal(null);
  });
});
