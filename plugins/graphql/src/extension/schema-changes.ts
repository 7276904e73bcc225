import type { ExtensionRef } from "@plinth/core";
import { type ExtensionTools, type GraphqlExtension, graphqlExtension, type SchemaExtension } from "../contract.js";
import { LateExtensionError } from "../errors.js";
import { ShadowCrud } from "./shadow-crud.js";

/** Collects extensions until the schema is made. Its public type is GraphqlExtension. */
export class SchemaChanges implements GraphqlExtension {
  readonly shadowCrud = new ShadowCrud((call) => this.#assertOpen(call));
  readonly #extensions: (SchemaExtension | ((tools: ExtensionTools) => SchemaExtension))[] = [];
  #isClosed = false;

  shadowCRUD(uid: string) {
    return this.shadowCrud.type(uid);
  }

  use(extension: SchemaExtension | ((tools: ExtensionTools) => SchemaExtension)): GraphqlExtension {
    this.#assertOpen("use()");
    this.#extensions.push(extension);
    return this;
  }

  /** The extensions in order of registration, functions called; from now on nothing can be added. */
  close(tools: ExtensionTools): readonly SchemaExtension[] {
    const made = this.#extensions.map((extension) => (typeof extension === "function" ? extension(tools) : extension));
    this.#isClosed = true;
    return made;
  }

  /** @throws PLINTH_GRAPHQL_EXTENSION_TOO_LATE (500) */
  #assertOpen(call: string): void {
    if (this.#isClosed) throw new LateExtensionError({ call });
  }
}

/** The public ref, with what only the plugin itself sees of it. */
export const schemaChanges = graphqlExtension as ExtensionRef<SchemaChanges>;
