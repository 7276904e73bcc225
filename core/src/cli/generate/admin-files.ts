import { coreVersion } from "../core-package.js";
import { jsonFile, type NewFile } from "./new-file.js";
import { type PluginPart, pluginFiles } from "./plugin-files.js";

/**
 * A plugin with a screen of the admin page, which asks an endpoint of the plugin for administrators.
 *
 * @throws PLINTH_CLI_INVALID_NAME
 */
export function adminPluginFiles(name: string): readonly NewFile[] {
  const folder = `src/plugins/${name}`;
  return [
    ...pluginFiles(name, adminPart(name)),
    { path: `${folder}/admin/index.tsx`, text: screen(name) },
    jsonFile(`${folder}/admin/tsconfig.json`, TSCONFIG),
    { path: `${folder}/src/admin.test.ts`, text: test(name) },
  ];
}

const adminPart = (name: string): PluginPart => ({
  imports: `import { existsSync } from "node:fs";\n`,
  packages: `import { admin } from "@plinth/plugin-admin";\n`,
  routes: ["adminRoutes", "routes"],
  register: `  register({ extension, has, route }) {
    if (!has("admin")) return;
    extension(admin).actions({ "plugin::${name}.greet": "greet people" });
    route("admin", { createRoutes: () => adminRoutes });
    // An app finds admin/index.tsx of its own plugins by itself; a package adds what its build made.
    const module = new URL("./admin.js", import.meta.url);
    if (existsSync(module)) extension(admin).add("${name}", { module });
  },
`,
  routesImports: `import { administratorsOnly } from "@plinth/plugin-admin";\n`,
  moreRoutes: `
/** The same for the admin page: administrators only, whose role grants the action. */
export const adminRoutes: readonly Route[] = [
  {
    ...{ method: "GET", path: "/${name}/greetings/:name", type: "root", handler: "greetings.greet" },
    config: {
      ...{ auth: false, prefix: "/admin/api" },
      policies: [administratorsOnly("plugin::${name}.greet")],
    },
  },
];
`,
  scripts: {
    build: `tsc && tsc -p admin && esbuild admin/index.tsx --bundle --format=esm --jsx=automatic --outfile=dist/admin.js ${EXTERNAL}`,
  },
  peerDependencies: { "@plinth/plugin-admin": `^${coreVersion()}` },
  peerDependenciesMeta: { "@plinth/plugin-admin": { optional: true } },
  devDependencies: {
    "@plinth/plugin-admin": `^${coreVersion()}`,
    "@plinth/plugin-api-tokens": `^${coreVersion()}`,
    "@plinth/plugin-content-api": `^${coreVersion()}`,
    "@types/react": "^19.3.0",
    esbuild: "^0.28.2",
  },
  readme: `
## Its screen of the admin page

\`admin/index.tsx\` is an extension of the admin page, at /admin/x/${name}/greetings for who may \`plugin::${name}.greet\`. While the app
is developed it is bundled by itself; \`npm run build\` here makes it a part of the package. React and
\`@plinth/plugin-admin/extend\` are the page's own; \`npm install --save-dev @types/react\` in the app gives editors the types of React.
`,
});

/** What the page has already. */
const EXTERNAL = ["react", "react-dom", "react/jsx-runtime", "@plinth/plugin-admin/extend"]
  .map((module) => `--external:${module}`)
  .join(" ");

const TSCONFIG = {
  compilerOptions: {
    target: "ES2023",
    lib: ["ES2023", "DOM"],
    module: "ESNext",
    moduleResolution: "bundler",
    jsx: "react-jsx",
    types: [],
    strict: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ["."],
};

const screen = (
  name: string,
) => `import { Button, defineAdminExtension, Field, messageOf, request, sayWrong, t, TextInput, tiedTo } from "@plinth/plugin-admin/extend";
import { type FormEvent, useState } from "react";

function Greetings() {
  const [person, setPerson] = useState("");
  const [greeting, setGreeting] = useState("");
  const greet = async (event: FormEvent) => {
    event.preventDefault();
    try {
      const path = \`/${name}/greetings/\${encodeURIComponent(person)}\`;
      const { data } = await request<{ data: { text: string } }>(path);
      setGreeting(data.text);
    } catch (error) {
      sayWrong(messageOf(error));
    }
  };
  return (
    <form onSubmit={greet}>
      <Field label={t("${name}.person")}>
        {(ids) => (
          <TextInput {...tiedTo(ids)} required value={person} onChange={({ target }) => setPerson(target.value)} />
        )}
      </Field>
      <Button type="submit">{t("${name}.greet")}</Button>
      <p role="status">{greeting}</p>
    </form>
  );
}

export default defineAdminExtension({
  api: 1,
  messages: {
    en: async () => ({
      default: { "${name}.title": "Greetings", "${name}.person": "Name", "${name}.greet": "Greet" },
    }),
  },
  pages: [
    {
      path: "greetings",
      title: "${name}.title",
      action: "plugin::${name}.greet",
      page: async () => ({ default: Greetings }),
    },
  ],
});
`;

const test = (name: string) => `import { adminPlugin } from "@plinth/plugin-admin";
import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { createTestApp, type TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import plugin from "./index.js";

describe("the screen of ${name}", () => {
  let test: TestApp;

  before(async () => {
    test = await createTestApp({ plugins: [contentApiPlugin, apiTokensPlugin, adminPlugin, plugin] });
  });

  after(() => test?.stop());

  it("is for administrators only", async () => {
    const { status } = await test.public.get("/admin/api/${name}/greetings/Ada");
    expect(status).to.be.oneOf([401, 403]);
  });
});
`;
