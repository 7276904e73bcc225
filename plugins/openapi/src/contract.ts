import { type Ability, type ServiceRef, serviceRef } from "@plinth/core";
import type { JsonSchema } from "@plinth/core/http";

/** A document of OpenAPI 3.1, as JSON; the members that this plugin writes. */
export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  /** By path, then by method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, object>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}

/** One parameter of an operation. */
export interface OpenApiParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly description?: string;
  readonly required?: boolean;
  readonly style?: "form" | "deepObject";
  readonly explode?: boolean;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

/** A body of a request or an answer, by its media type. */
export type OpenApiContent = Readonly<Record<string, { readonly schema: JsonSchema }>>;

/** What comes with one status. */
export interface OpenApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: JsonSchema }>>;
  readonly content?: OpenApiContent;
}

/** One way into the server. */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: OpenApiContent };
  /** By status, `5XX` for all above 499. */
  readonly responses: Readonly<Record<string, OpenApiResponse | { readonly $ref: string }>>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  /** The action that grants name, where there is one. */
  readonly "x-plinth-action"?: string;
}

/** Writes the OpenAPI document of this app. */
export interface OpenApi {
  /**
   * The document of what an ability may call. Made again when it is asked for the first time, and kept.
   *
   * @param ability - default: everything, the REST of administrators as well.
   */
  document(ability?: Ability): OpenApiDocument;
  /**
   * What a role may do, by code and by the database.
   *
   * @throws PLINTH_OPENAPI_UNKNOWN_ROLE (400) for a role without any grant
   */
  abilityOfRole(type: string): Promise<Ability>;
}

/** The service behind the document. */
export const openApi: ServiceRef<OpenApi> = serviceRef<OpenApi>("plugin::openapi.document");

declare module "@plinth/core" {
  interface Services {
    "plugin::openapi.document": OpenApi;
  }
}
