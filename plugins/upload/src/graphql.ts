import { type App, type ExtensionRef, extensionRef } from "@plinth/core";
import type { GraphqlExtension, ResolverMap, SchemaExtension } from "@plinth/plugin-graphql";
import { FILE_TYPE, FOLDER_TYPE } from "./content-types.js";
import { type FileInfo, type FileKey, files } from "./contract.js";
import { actionOnFiles, DESTROY, UPLOAD } from "./services/file-ability.js";

/** The plugin graphql, by its name alone: it need not be installed. */
export const graphql: ExtensionRef<GraphqlExtension> = extensionRef<GraphqlExtension>("plugin::graphql.extension");

/**
 * Files are written by fields of their own, which do what the routes do; folders are for REST.
 *
 * @source plugins/content-api/WIRE.md#graphql-operations
 */
export function extendSchema(schema: GraphqlExtension): void {
  schema.shadowCRUD(FOLDER_TYPE).disable();
  schema.shadowCRUD(FILE_TYPE).disableMutations();
  schema.use(({ app }) => (hasFiles(app, schema) ? extension : {}));
}

/** The fields need the type of files. */
function hasFiles(app: App, schema: GraphqlExtension): boolean {
  return app.plugin("graphql").config.shadowCRUD && schema.shadowCRUD(FILE_TYPE).isEnabled();
}

const typeDefs = `
type Mutation {
  "Change the info of a file. \`id\` is a row id or a documentId."
  updateUploadFile(id: ID!, info: FileInfoInput): UploadFile!

  "Delete a file with its formats; the file as it was. \`id\` is a row id or a documentId."
  deleteUploadFile(
    id: ID!
    "Also a file that documents use, where the server refuses that."
    force: Boolean = false
  ): UploadFile
}

"The info of a file; null clears, and a missing field keeps its value."
input FileInfoInput {
  name: String
  alternativeText: String
  caption: String
  "The focal point of an image, in percent from its upper left corner: { x: 50, y: 30 }."
  focalPoint: JSON
  "Row id or documentId of a folder; null is the top."
  folder: ID
}
`;

interface Update {
  readonly id: string;
  readonly info?: FileInfo | null;
}

interface Delete {
  readonly id: string;
  readonly force: boolean | null;
}

const resolvers: ResolverMap = {
  Mutation: {
    updateUploadFile: (_parent: unknown, { id, info }: Update, { app, ability }) =>
      app.service(files).updateInfo(keyOf(id), info ?? {}, { ability }),
    deleteUploadFile: (_parent: unknown, { id, force }: Delete, { app, ability }) =>
      app.service(files).delete(keyOf(id), { force: force === true, ability }),
  },
};

const extension: SchemaExtension = {
  typeDefs,
  resolvers,
  resolversConfig: {
    "Mutation.updateUploadFile": { auth: { scope: [UPLOAD, actionOnFiles("update")] } },
    "Mutation.deleteUploadFile": { auth: { scope: [DESTROY] } },
  },
};

/** Texts of digits are row ids, everything else is a documentId. */
const keyOf = (id: string): FileKey => (/^\d{1,15}$/.test(id) ? Number(id) : id);
