import { existsSync } from "node:fs";
import { join } from "node:path";
import { Command, Option } from "commander";
import { NoProjectError } from "../../app/errors.js";
import { type NewFile, writeNewFiles } from "./new-file.js";
import {
  apiFiles,
  controllerFiles,
  coreControllerFiles,
  coreServiceFiles,
  middlewareFiles,
  migrationFiles,
  policyFiles,
  serviceFiles,
} from "./part-files.js";
import {
  assertOwner,
  describeUse,
  type OwnerOptions,
  type PartKind,
  type PartPlace,
  placeInPackage,
  placePart,
} from "./part-owner.js";
import { adminPluginFiles } from "./admin-files.js";
import { pluginFiles } from "./plugin-files.js";
import { componentFiles, type ContentTypeOptions, contentTypeFiles } from "./schema-files.js";
import type { CommandHost } from "../host.js";

const ATTRIBUTES = ["--attributes <list>", "such as title:string,body:richtext (default: title:string)"] as const;

type FilesOf = (place: PartPlace) => readonly NewFile[];

/** `plinth generate <kind> <name>`: writes the files of something new; never over one that exists. */
export function generateCommand(host: CommandHost): Command {
  const write = (files: readonly NewFile[]) => writeFiles(files, host);
  const writeSchema = (files: readonly NewFile[]) => writeSchemaFiles(files, host);
  const generate = new Command("generate").alias("g").description("write the files of something new");
  generate
    .command("content-type <name>")
    .description("a content-type with its table and endpoints")
    .option("--api <name>", "the api that it belongs to (default: its own name)")
    .option("--plural <name>", "its plural, where the suggested one is wrong")
    .addOption(
      new Option("--kind <kind>", "many documents or a single one")
        .choices(["collectionType", "singleType"])
        .default("collectionType"),
    )
    .option(...ATTRIBUTES)
    .option("--drafts", "with draft and publish")
    .action((name: string, options: ContentTypeOptions) => writeSchema(contentTypeFiles(name, options)));
  generate
    .command("component <category.name>")
    .description("a group of attributes for content-types, such as shared.seo")
    .option(...ATTRIBUTES)
    .action((name: string, options: { attributes?: string }) => writeSchema(componentFiles(name, options)));
  generate
    .command("api <name>")
    .description("a route with its controller and service, without a content-type")
    .action((name: string) => write(apiFiles(placePart(name, "an api", { api: name }))));
  generate
    .command("plugin <name>")
    .description("a plugin in src/plugins: a package with configuration, a service, a route and tests")
    .option("--admin", "with a screen of the admin page")
    .action((name: string, { admin = false }: { admin?: boolean }) =>
      write(admin ? adminPluginFiles(name) : pluginFiles(name)),
    );
  generate
    .command("migration <name>")
    .description("a change of stored content that runs once, before or after the tables change")
    .action((name: string) => write(migrationFiles(name, new Date())));
  const parts = partKinds(host.cwd);
  for (const [kind, filesOf] of Object.entries(parts)) addPart(generate, { kind: kind as PartKind, filesOf }, host);
  return generate;
}

const partKinds = (root: string): Readonly<Record<PartKind, FilesOf>> => ({
  controller: byContentType(root, coreControllerFiles, controllerFiles),
  service: byContentType(root, coreServiceFiles, serviceFiles),
  policy: policyFiles,
  middleware: middlewareFiles,
});

interface Part {
  readonly kind: PartKind;
  readonly filesOf: FilesOf;
}

function addPart(generate: Command, { kind, filesOf }: Part, host: CommandHost): void {
  const { cwd, terminal } = host;
  generate
    .command(`${kind} <name>`)
    .description(`a ${kind} of the app, an api or a local plugin`)
    .option("--api <name>", "put it into an api")
    .option("--plugin <name>", "put it into a plugin of src/plugins")
    .action(async (name: string, owner: OwnerOptions) => {
      const place = placePart(name, `a ${kind}`, owner);
      await assertOwner(cwd, owner);
      const placed = owner.plugin === undefined ? place : placeInPackage(cwd, place);
      await writeFiles(filesOf(placed), host);
      if (placed !== place) terminal.print(describeUse(kind, placed));
    });
}

/** A controller or service that has the name of a content-type of its api extends the core's. */
const byContentType =
  (root: string, core: FilesOf, plain: FilesOf): FilesOf =>
  (place) => {
    const schema = join(root, place.folder, "content-types", place.name, "schema.json");
    return existsSync(schema) ? core(place) : plain(place);
  };

/** Code that names the new type compiles once the generated types have it. */
async function writeSchemaFiles(files: readonly NewFile[], host: CommandHost): Promise<void> {
  await writeFiles(files, host);
  host.terminal.say("a running `plinth develop` writes its types; otherwise run `plinth types`");
}

async function writeFiles(files: readonly NewFile[], { cwd: root, terminal }: CommandHost): Promise<void> {
  if (!existsSync(join(root, "src")) && !existsSync(join(root, "config")))
    throw new NoProjectError({ directory: root });
  await writeNewFiles(root, files);
  for (const { path } of files) terminal.print(`wrote ${path}`);
}
