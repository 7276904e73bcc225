import { createHash } from "node:crypto";
import type { AdminConfig } from "../config.js";
import type { ExtensionView, PageFacts } from "../wire/page.js";
import type { ClientEntry, ClientFiles } from "./client-files.js";

/** The page, which is the same for every caller and address below `/admin`. */
export interface Shell {
  readonly html: string;
  /** Value of `Content-Security-Policy`. @param origins - of pictures and films, beside those of the configuration */
  policyFor(origins: readonly string[]): string;
}

/** Modules that extensions import, by the name that they import. */
const SHARED: Readonly<Record<string, keyof ClientFiles["entries"]>> = {
  react: "react",
  "react-dom": "react-dom",
  "react/jsx-runtime": "jsx-runtime",
  "@plinth/plugin-admin/extend": "extend",
};

/** Path of a file of the page. */
const pathOf = (file: string): string => `/admin/assets/${file}`;

/** Makes the page of what was built and added. */
export function createShell(
  { entries }: ClientFiles,
  extensions: readonly ExtensionView[],
  { brand, mediaOrigins, preview }: AdminConfig,
): Shell {
  const { main } = entries;
  const imports = Object.entries(SHARED).map(([name, entry]) => [name, pathOf(entries[entry].file)]);
  const map = JSON.stringify({ imports: Object.fromEntries(imports) });
  const facts: PageFacts = { brand: { name: brand.name, logo: brand.logo }, extensions };
  const accent = brand.accent === null ? "" : ` style="--accent: ${escaped(brand.accent)}"`;
  const html = `<!doctype html>
<html lang="en"${accent}>
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <title>${escaped(brand.name)}</title>
    <link rel="icon" href="${escaped(brand.logo ?? "data:,")}">
    <script type="importmap">${map}</script>
${main.styles.map((file) => `    <link rel="stylesheet" href="${pathOf(file)}">\n`).join("")}${preloads(main, extensions)}  </head>
  <body>
    <div id="page" data-page="${escaped(JSON.stringify(facts))}"></div>
    <noscript>This page needs JavaScript.</noscript>
    <script type="module" src="${pathOf(main.file)}"></script>
  </body>
</html>
`;
  const known = [...originsOf(brand.logo), ...mediaOrigins];
  const frames = preview.origins.map((origin) => new URL(origin).origin);
  return { html, policyFor: (origins) => policyOf(map, [...new Set([...known, ...origins])], [...new Set(frames)]) };
}

/** A logo may stand on another server; a path is of this one. */
const originsOf = (logo: string | null): readonly string[] =>
  logo !== null && /^https?:\/\//i.test(logo) ? [new URL(logo).origin] : [];

function preloads({ imports }: ClientEntry, extensions: readonly ExtensionView[]): string {
  const paths = [...imports.map(pathOf), ...extensions.map(({ url }) => url)];
  return paths.map((path) => `    <link rel="modulepreload" href="${path}">\n`).join("");
}

/** Scripts are our own files and the import map; styles may stand in elements, as editors and placed menus write them. */
function policyOf(map: string, mediaOrigins: readonly string[], frameOrigins: readonly string[]): string {
  const hash = createHash("sha256").update(map).digest("base64");
  const media = ["'self'", "data:", "blob:", ...mediaOrigins].join(" ");
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${hash}'`,
    "style-src 'self' 'unsafe-inline'",
    `img-src ${media}`,
    `media-src ${media}`,
    "font-src 'self' data:",
    "connect-src 'self'",
    ["frame-src 'self' blob:", ...frameOrigins].join(" "),
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join("; ");
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
