import { expect } from "chai";
import { allScreens } from "./all-screens.js";
import { checkKeyboard, checkLook, useScreens } from "./look-at-screens.js";
import { screens } from "./screens.js";

describe("every screen of the admin page", () => {
  const { app, looked, each } = useScreens();

  it("has nothing that axe objects to, fits 320 pixels from left to right and back, and is reached by keyboard", async function () {
    this.timeout(900_000);
    await each(await allScreens(app(), looked()), async (screen, { page, wrong, rest }) => {
      await rest();
      await checkKeyboard(page);
      await checkLook(page, screen);
      expect(wrong).to.deep.equal([]);
    });
  });

  it("is mirrored for a reader of Arabic", async () => {
    await each(screens(looked().documentId).slice(0, 3), async (screen, { page }) => {
      await page.evaluate(() => localStorage.setItem("plinth-language", "ar"));
      await page.reload();
      await screen.ready(page);
      expect(await page.locator("html").getAttribute("dir")).to.equal("rtl");
    });
  });
});
