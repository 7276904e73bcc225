import { expect } from "chai";
import { allStates } from "./all-screens.js";
import { checkLook, useScreens } from "./look-at-screens.js";

describe("every screen of the admin page, once something is open, or was said", () => {
  const { app, looked, each } = useScreens();

  it("has nothing that axe objects to, and fits 320 pixels from left to right and back", async function () {
    this.timeout(900_000);
    await each(await allStates(app(), looked()), async (screen, { page, wrong, rest }) => {
      await screen.act?.(page);
      await rest();
      await checkLook(page, screen);
      expect(wrong).to.deep.equal([]);
    });
  });
});
