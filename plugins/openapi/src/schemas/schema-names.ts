import { pascalCase } from "@plinth/core";

/** Gives every schema a name for `#/components/schemas`, the same at each start as long as the model is. */
export class SchemaNames {
  readonly #byKey = new Map<string, string>();
  /** Those of errors are of no content-type. */
  readonly #taken = new Set(["Error", "ErrorCode"]);

  /** @param key - `api::article.article#create` becomes `ArticleCreate`, `shared.seo` `SharedSeoComponent`. */
  nameOf(key: string): string {
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const name = this.#free(wishOf(key));
    this.#byKey.set(key, name);
    this.#taken.add(name);
    return name;
  }

  #free(wish: string): string {
    let name = wish;
    for (let next = 2; this.#taken.has(name); next++) name = `${wish}${next}`;
    return name;
  }
}

function wishOf(key: string): string {
  const [subject = "", part = ""] = key.split("#");
  return `${subjectName(subject)}${pascalCase(part)}`;
}

function subjectName(subject: string): string {
  const [namespace, path] = subject.split("::");
  if (path === undefined) {
    const [category = "", name] = subject.split(".");
    return name === undefined ? pascalCase(category) : `${pascalCase(category)}${pascalCase(name)}Component`;
  }
  const [owner = "", name = ""] = path.split(".");
  return namespace === "api" && owner === name ? pascalCase(name) : `${pascalCase(owner)}${pascalCase(name)}`;
}
