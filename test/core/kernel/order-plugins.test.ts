import { expect } from "chai";
import { orderPlugins } from "#core/kernel/order-plugins.js";
import { definePlugin } from "#core/kernel/plugin.js";
import { thrownBy } from "./thrown-by.js";

const upload = definePlugin({ name: "upload" });
const namesOf = (...plugins: Parameters<typeof orderPlugins>) => orderPlugins(...plugins).map(({ name }) => name);

describe("the order of plugins", () => {
  it("is the given one where nothing asks for another, and the app is last", () => {
    const app = definePlugin({ name: "app" });
    expect(namesOf([upload, definePlugin({ name: "a" })], app)).to.deep.equal(["upload", "a", "app"]);
  });

  it("puts a plugin after those that it depends on, by value or by name, and after those that it follows", () => {
    const gallery = definePlugin({ name: "gallery", dependsOn: [upload] });
    const album = definePlugin({ name: "album", dependsOn: ["gallery"], after: ["i18n", "absent"] });
    const i18n = definePlugin({ name: "i18n" });
    const ordered = orderPlugins([album, gallery, i18n, upload]);
    expect(ordered.map(({ name }) => name)).to.deep.equal(["upload", "gallery", "i18n", "album"]);
    expect(ordered.at(-1)).to.deep.include({ dependsOn: ["gallery"], after: ["i18n"] });
  });

  it("refuses a plugin that is listed twice, also one called app (PLINTH_PLUGIN_DUPLICATE)", async () => {
    expect((await thrownBy(() => orderPlugins([upload, upload]))).code).to.equal("PLINTH_PLUGIN_DUPLICATE");
    const app = definePlugin({ name: "app" });
    expect((await thrownBy(() => orderPlugins([app], app))).details).to.deep.equal({ plugin: "app" });
  });

  it("names every dependency that is not enabled at once (PLINTH_PLUGIN_MISSING)", async () => {
    const error = await thrownBy(() =>
      orderPlugins([
        definePlugin({ name: "gallery", dependsOn: [upload] }),
        definePlugin({ name: "album", dependsOn: ["shelf"] }),
      ]),
    );
    expect(error.code).to.equal("PLINTH_PLUGIN_MISSING");
    expect(error.details).to.deep.equal({
      missing: [
        { plugin: "gallery", dependency: "upload" },
        { plugin: "album", dependency: "shelf" },
      ],
    });
    expect(error.message).to.contain('"gallery" depends on "upload"').and.contain('"album" depends on "shelf"');
  });

  it("shows plugins that wait for each other as a path (PLINTH_PLUGIN_CYCLE)", async () => {
    const a = definePlugin({ name: "a", after: ["c"] });
    const b = definePlugin({ name: "b", dependsOn: [a] });
    const error = await thrownBy(() => orderPlugins([a, b, definePlugin({ name: "c", dependsOn: [b] })]));
    expect(error.code).to.equal("PLINTH_PLUGIN_CYCLE");
    expect(error.message).to.contain("a -> c -> b -> a");
  });

  it("needs names that can be part of a uid (PLINTH_PLUGIN_NAME)", async () => {
    for (const name of ["", "Upload", "my plugin", "9lives", "a--b", "a-", "plugin::x"]) {
      expect((await thrownBy(() => definePlugin({ name }))).code, name).to.equal("PLINTH_PLUGIN_NAME");
    }
    expect(definePlugin({ name: "users-permissions2" }).name).to.equal("users-permissions2");
  });
});
