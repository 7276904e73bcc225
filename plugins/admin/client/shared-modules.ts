import { createRequire } from "node:module";
import type { Plugin } from "vite";

/** React's packages are CommonJS, whose names a bundler cannot see; extensions import them by name. */
const PACKAGES: Readonly<Record<string, string>> = {
  react: "react",
  "react-dom": "react-dom",
  "jsx-runtime": "react/jsx-runtime",
};

const PREFIX = "virtual:shared/";
const NAME = /^[A-Za-z_$][\w$]*$/;

/** Entries that export each name of React's packages: what the import map of the page leads to. */
export const sharedEntries: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(PACKAGES).map((entry) => [entry, PREFIX + entry]),
);

/** Makes the entries of `sharedEntries` from the installed packages. */
export function sharedModules(): Plugin {
  const require = createRequire(import.meta.url);
  return {
    name: "shared-modules",
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return undefined;
      const name = PACKAGES[id.slice(PREFIX.length + 1)] ?? "";
      const names = Object.keys(require(name) as object).filter((key) => NAME.test(key) && key !== "default");
      return `import shared from ${JSON.stringify(name)};
export default shared;
export const { ${names.join(", ")} } = shared;
`;
    },
  };
}
