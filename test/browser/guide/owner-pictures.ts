import type { Page } from "playwright-core";
import type { Picture } from "./pictures.js";

const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1 });

/** Those of the guide for owners. Their times are those of the server. */
export const ownerPictures: readonly Picture[] = [
  {
    ...{ name: "accounts", path: "/settings/accounts", height: 560, isToday: true },
    show: async (page) => {
      await page.getByText("mara@example.com").waitFor();
      await page.getByRole("button", { name: "Actions for Louis Amar" }).click();
      await page.getByRole("menuitem", { name: "Deactivate" }).waitFor();
    },
  },
  {
    ...{ name: "role", path: "/settings/roles/translator", height: 900, isToday: true },
    show: async (page) => {
      const cell = page.getByRole("button", { name: /^Article, Change:/ });
      await cell.waitFor();
      await cell.focus();
    },
    of: (page) => [page.getByRole("main")],
  },
  {
    ...{ name: "tokens", path: "/settings/tokens", height: 290, isToday: true },
    show: (page) => page.getByRole("row", { name: /Newsletter/ }).waitFor(),
    of: (page) => [page.getByRole("main")],
  },
  {
    ...{ name: "webhooks", path: "/settings/webhooks", height: 360, isToday: true },
    show: (page) => page.getByRole("link", { name: "Chat of the desk" }).waitFor(),
    of: (page) => [page.getByRole("main")],
  },
  {
    ...{ name: "audit", path: "/settings/audit", height: 595, isToday: true },
    show: async (page) => {
      await heading(page, "Audit log").waitFor();
      await page.getByRole("listitem").nth(20).waitFor();
    },
    of: (page) => [page.getByRole("main")],
  },
];
