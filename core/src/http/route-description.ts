import type { RouteApi } from "./route-api.js";
import type { Size } from "../base/options/values.js";
import type * as v from "@plinth/core/valibot";

/**
 * A JSON Schema of draft 2020-12. Its `$ref`s name what the content model knows, at any depth:
 *
 * | `$ref`                        | what                                                    |
 * |-------------------------------|---------------------------------------------------------|
 * | `api::article.article`        | an entry as it is answered; `shared.seo`: a component    |
 * | `api::article.article#create` | the `data` of a new entry                                |
 * | `api::article.article#update` | the `data` of a change                                   |
 * | `api::article.article#filters`| what `filters` may ask                                   |
 * | `api::article.article#fields` | a name for `fields`                                      |
 * | `api::article.article#populate` | a name for `populate`                                  |
 * | `api::article.article#sort`   | an item of `sort`                                        |
 */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

/** One parameter of a query string. A list is sent with commas, an object with brackets: `pagination[page]=2`. */
export interface QueryDescription {
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

/** What comes with one status. */
export interface AnswerDescription {
  readonly description: string;
  /** Of the body; none: there is no body. */
  readonly schema?: JsonSchema;
  /** Default: `application/json`. */
  readonly contentType?: string;
  /** By name. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a route takes and answers, for documents such as that of OpenAPI. It changes nothing of what the route does. */
export interface RouteDescription {
  /** Starts with a capital, without a full stop: `Create an article`. */
  readonly summary: string;
  readonly description?: string;
  /** What it is listed under: `Articles`. */
  readonly tag: string;
  /** For generated code, unique in an app: `createArticle`. Default: made from method and path. */
  readonly name?: string;
  /** Of path parameters; one that is not named is a text. */
  readonly params?: Readonly<Record<string, JsonSchema>>;
  readonly query?: Readonly<Record<string, QueryDescription>>;
  /** What headers of the request say, by name. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: {
    /** The schema that the body is checked by, or a JSON Schema where something else checks it. */
    readonly schema: JsonSchema | v.GenericSchema;
    /** Default: `application/json`. */
    readonly contentType?: string;
    /** Default: true. */
    readonly required?: boolean;
  };
  /** By status, successes only. */
  readonly answers: Readonly<Record<number, AnswerDescription>>;
  /** Statuses of errors beside those that every route of its form has: `[409]`. */
  readonly errors?: readonly number[];
  /** For a route that does not use the credentials of the content API: the token that it takes instead. */
  readonly bearer?: "administrator";
}

/** The methods a route may have, in the order of an `Allow` header; HEAD comes with GET. */
export const ROUTE_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** A method that a route may have. */
export type RouteMethod = (typeof ROUTE_METHODS)[number];

/** What a request can read of its route: `ctx.state.route`. */
export interface MatchedRoute {
  readonly method: RouteMethod;
  /** The whole path as declared: `/api/articles/:documentId`. */
  readonly path: string;
  readonly owner: string;
  /** The action that authorisation asks for, such as `api::article.article.find`; none for a bare function. */
  readonly action: string | undefined;
  readonly api: RouteApi;
  /** The last part of the action, `find`; the method, `get`, of a bare function. */
  readonly operation: string;
  /** The actions that the caller needs, all of them; undefined where no credentials are read. */
  readonly scope: readonly string[] | undefined;
  /** Whether the path is a RegExp, or one with wildcards or parts of segments. */
  readonly isPattern: boolean;
  /** Whether policies, or a handler of its own such as an action that replaces a built-in one, decide what is answered to whom. */
  readonly hasOwnCode: boolean;
  readonly description: RouteDescription | false | undefined;
  /** Title of the page at this path, such as `GraphQL`; undefined for what is not a page. */
  readonly page: string | undefined;
  /** What a JSON or form body may have, in place of plinth::body's limits. */
  readonly bodyLimit: Size | undefined;
}
