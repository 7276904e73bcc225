import { readdirSync, readFileSync } from "node:fs";
import { buildModel } from "#core/schema/build-model.js";
import type { ContentModel } from "#core/schema/model.js";
import type { RawComponent, RawContentType } from "#core/schema/raw.js";

const SOURCE = new URL("../../apps/corpus/src/", import.meta.url);

/** The schema files of the corpus app, read again on each call, so that a test may change them. */
export function readCorpusSchemas(): { contentTypes: RawContentType[]; components: RawComponent[] } {
  const contentTypes = listDirectory("api/").map((name) => {
    const file = `src/api/${name}/content-types/${name}/schema.json`;
    return { ...readJson(file), uid: `api::${name}.${name}`, file };
  });
  const components = listDirectory("components/").flatMap((category) =>
    listDirectory(`components/${category}/`).map((name) => {
      const file = `src/components/${category}/${name}`;
      return { ...readJson(file), uid: `${category}.${name.replace(".json", "")}`, file };
    }),
  );
  return { contentTypes, components };
}

/** The model of the corpus app, with its locales. */
export function corpusModel(): ContentModel {
  return buildModel({ ...readCorpusSchemas(), defaultLocale: "en", locales: ["en", "fr"] });
}

function listDirectory(path: string): string[] {
  return readdirSync(new URL(path, SOURCE)).sort();
}

function readJson(file: string): object {
  return JSON.parse(readFileSync(new URL(`../${file}`, SOURCE), "utf8"));
}
