import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { RegisterContext } from "@plinth/core";
import { expect } from "chai";
import { admin } from "@plinth/plugin-admin";
import { useBrowser } from "./browser.js";
import { type BrowserApp, startBrowserApp } from "./browser-app.js";

/** Written as a package ships it: no build, and the page's own React. */
const COLOUR = `import { createElement, useState } from "react";
import { jsx } from "react/jsx-runtime";
import { defineAdminExtension, Button, useField, version } from "@plinth/plugin-admin/extend";

function ColourInput({ attribute, value, set }) {
  const [count, setCount] = useState(0);
  return jsx("label", { children: [attribute.label, " ", createElement("input", {
    key: "input", type: "color", value: value ?? "#000000",
    onChange: (event) => { set(event.target.value); setCount(count + 1); },
  }), createElement("output", { key: "count" }, String(count))] });
}

const Broken = () => { throw new Error("on purpose"); };
const Page = () => createElement("p", null, "A screen of an extension by version " + version.split(".")[0]);
const Notice = () => createElement("p", null, "Ask the front desk for an account");
const Panel = ({ document }) => createElement("p", null, "Panel of " + document.uid);

export default defineAdminExtension({
  api: 1,
  fields: { colour: { input: async () => ({ default: ColourInput }) } },
  panels: [
    { id: "info", title: { en: "About colours" }, panel: async () => ({ default: Panel }) },
    { id: "broken", title: "Broken panel", panel: async () => ({ default: Broken }) },
    { id: "picky", title: "Picky panel", when: () => { throw new Error("asked in vain"); }, panel: async () => ({ default: Panel }) },
  ],
  pages: [
    { path: "palette", title: "Palette", page: async () => ({ default: Page }) },
    { path: "closed", title: "Closed", action: "plugin::colour.mix", page: async () => ({ default: Page }) },
  ],
  slots: { "sign-in.after": [{ id: "notice", slot: async () => ({ default: Notice }) }] },
  actions: [
    { id: "hello", label: "Say hello", on: "document", run: async ({ say, target }) => say("Hello " + target.uid) },
    { id: "at-once", label: "Fail at once", on: "document", run: () => { throw new Error("failed at once"); } },
  ],
});
`;

describe("extensions of the admin page", () => {
  const open = useBrowser();
  const folder = mkdtempSync(join(tmpdir(), "plinth-extensions-"));
  let app: BrowserApp | undefined;
  before("start an app with extensions", async () => {
    const modules = {
      colour: COLOUR,
      broken: 'import { nothing } from "react"; export default { nothing };',
      old: "export default { api: 9 };",
      greedy: 'export default { api: 1, messages: { en: async () => ({ default: { "colour.title": "Mine" } }) } };',
    };
    const attributes = {
      name: { type: "string", required: true },
      shade: { type: "string", pluginOptions: { admin: { field: "colour" } } },
      other: { type: "string", pluginOptions: { admin: { field: "missing" } } },
    };
    const info = { singularName: "paint", pluralName: "paints", displayName: "Paint" };
    app = await startBrowserApp(folder, {
      app: {
        contentTypes: { "api::paint.paint": { kind: "collectionType", info, attributes } },
        register: ({ extension }: RegisterContext<object>) => {
          extension(admin).actions({ "plugin::colour.mix": "mix colours" });
          for (const [name, text] of Object.entries(modules)) {
            const file = join(folder, `${name}.js`);
            writeFileSync(file, text);
            extension(admin).add(name, { module: pathToFileURL(file) });
          }
        },
      } as never,
    });
  });
  after("stop the app", async () => {
    await app?.plinth.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("bring fields, panels, screens and actions, with the page's own React and without a build", async () => {
    if (!app) throw new TypeError("The app has not started.");
    const tab = await open();
    const { page } = tab;
    await app.enter(tab);
    const documentId = await app.create("api::paint.paint", { name: "Red" });
    await page.goto(`${app.url}/admin/content/api::paint.paint/${documentId}`);
    await page.getByLabel("Shade").fill("#ff0000");
    await page
      .getByRole("button", { name: "Save and publish" })
      .or(page.getByRole("button", { name: "Save", exact: true }))
      .click();
    await page.getByRole("alertdialog").filter({ hasText: "Saved" }).waitFor();
    expect(await app.read("api::paint.paint", documentId)).to.include({ shade: "#ff0000" });
    await page.getByText("Panel of api::paint.paint").waitFor();
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Say hello" }).click();
    await page.getByRole("alertdialog").filter({ hasText: "Hello api::paint.paint" }).waitFor();
    await page.getByRole("link", { name: "Palette" }).click();
    await page.getByText("A screen of an extension by version 1").waitFor();
  });

  it("show a page that asks for an action to those only whose role grants it, and speak before the sign-in", async () => {
    if (!app) throw new TypeError("The app has not started.");
    const { page, context } = await open();
    await page.goto(`${app.url}/admin`);
    await page.getByText("Ask the front desk for an account").waitFor();
    await app.enter({ page, context, wrong: [] }, "editor");
    await page.goto(`${app.url}/admin/x/colour/closed`);
    await page.getByText("You do not have access to this").waitFor();
    await page.getByText("plugin::colour.mix").waitFor();
    expect(await page.getByRole("link", { name: "Palette" }).count()).to.equal(1);
    expect(await page.getByRole("link", { name: "Closed" }).count()).to.equal(0);
  });

  it("are named where they fail, and the rest of the page works", async () => {
    if (!app) throw new TypeError("The app has not started.");
    const tab = await open();
    const { page } = tab;
    await app.enter(tab);
    await page.goto(`${app.url}/admin/content/api::paint.paint/new`);
    await page.getByText(/The extension broken could not be loaded: .*nothing/).waitFor();
    await page.getByText('The extension old could not be loaded: its default export has to say "api: 1"').waitFor();
    await page.getByText('The extension greedy could not be loaded: the key "colour.title"').waitFor();
    await page.getByRole("alertdialog").filter({ hasText: "colour: asked in vain" }).waitFor();
    await page.getByText("colour has failed here: on purpose").waitFor();
    await page.getByText("The field missing is missing: no extension brings it.").waitFor();
    await page.getByRole("textbox", { name: "Name" }).fill("Blue");
    await page.getByRole("textbox", { name: "Other" }).fill("still a text");
    await page.keyboard.press("Control+s");
    await page.getByRole("alertdialog").filter({ hasText: "Saved" }).waitFor();
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Fail at once" }).click();
    await page.getByRole("alertdialog").filter({ hasText: "colour: failed at once" }).waitFor();
  });
});
