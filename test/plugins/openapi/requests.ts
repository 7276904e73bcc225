import type { OpenApiDocument, OpenApiOperation, OpenApiParameter } from "@plinth/plugin-openapi";
import qs from "qs";
import type { Samples, Schema } from "./sample-values.js";

/** An operation and where it is. */
export interface Documented {
  readonly method: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
}

/** A request to an operation. */
export interface Fired extends Documented {
  /** What is particular about it, for messages. */
  readonly what: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Every operation of a document: creations first, deletions and what ends sessions last. */
export function operationsOf(document: OpenApiDocument): readonly Documented[] {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  return all.sort((a, b) => rank(a) - rank(b));
}

function rank({ method, path }: Documented): number {
  if (method === "DELETE") return 4;
  if (method === "POST" && !path.includes("{") && !path.includes("/actions/")) return 0;
  if (method === "PUT") return 1;
  return path.includes("unpublish") ? 3 : 2;
}

/** A request that the document allows: with all parameters, with one of them, or with none. */
export function rightRequest(
  documented: Documented,
  samples: Samples,
  parameter: OpenApiParameter | "none" | "body",
): Fired {
  const { requestBody } = documented.operation;
  const asked = (documented.operation.parameters ?? []).filter(
    (known) => known.in === "query" && (known.required || known === parameter),
  );
  const [content] = Object.values(requestBody?.content ?? {});
  return {
    ...documented,
    what: typeof parameter === "string" ? parameter : parameter.name,
    params: paramsOf(documented, samples),
    query: Object.fromEntries(asked.map((known) => [known.name, samples.of(known.schema)])),
    body: content && samples.of(content.schema),
  };
}

/** Requests that the document forbids, made from one that it allows. */
export function wrongRequests(right: Fired, allows: (schema: unknown, value: unknown) => boolean): readonly Fired[] {
  const { parameters = [], requestBody } = right.operation;
  const inQuery = parameters
    .filter((parameter) => parameter.in === "query")
    .flatMap((parameter) =>
      wrongValues(parameter).map((value) => ({
        ...right,
        what: `wrong ${parameter.name}`,
        query: { [parameter.name]: value },
      })),
    );
  const schema = requestBody?.content["application/json"]?.schema;
  if (!schema) return inQuery;
  const bodies = wrongBodies(right.body).filter((body) => !allows(schema, body));
  return [
    ...inQuery,
    ...bodies.map((body) => ({ ...right, what: `wrong body ${JSON.stringify(body).slice(0, 300)}`, body })),
  ];
}

/** Path and query string of a request. */
export function urlOf({ path, params, query, operation }: Fired): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const parts = Object.entries(query).map(([name, value]) => {
    const parameter = operation.parameters?.find((known) => known.name === name);
    const isJoined = parameter?.explode === false && Array.isArray(value);
    return qs.stringify({ [name]: isJoined ? value.join(",") : value }, { encodeValuesOnly: true });
  });
  const text = parts.filter((part) => part !== "").join("&");
  return text === "" ? filled : `${filled}?${text}`;
}

function paramsOf({ operation }: Documented, samples: Samples): Fired["params"] {
  const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === "path");
  return Object.fromEntries(inPath.map(({ name, schema }) => [name, String(samples.of(schema))]));
}

/** For parameters that name things, names that do not exist; for others, values of another form. */
function wrongValues({ name, schema }: OpenApiParameter): readonly unknown[] {
  if (name === "filters") return [{ nosuch: "1" }, { id: { $nosuch: "1" } }];
  if (name === "pagination") return [{ nosuch: "1" }, { page: "1", start: "1" }, { page: "x" }];
  if (["fields", "sort", "populate"].includes(name)) return [["nosuch"]];
  const { type, enum: values } = schema as Schema;
  if (values !== undefined || type === "integer" || type === "boolean") return ["nosuch"];
  return [];
}

/** Without a body, with more than is known, and with each member in another form. */
function wrongBodies(body: unknown): readonly unknown[] {
  const whole = [{}, { nosuch: 1 }];
  if (!isRecord(body)) return whole;
  const inner = isRecord(body["data"])
    ? wrongMembers(body["data"]).map((data) => ({ ...body, data }))
    : wrongMembers(body);
  return [...whole, ...inner];
}

function wrongMembers(data: Readonly<Record<string, unknown>>): readonly object[] {
  const swapped = Object.keys(data).flatMap((name) => [
    { ...data, [name]: { nosuch: "such" } },
    { ...data, [name]: [["such"]] },
  ]);
  const missing = Object.keys(data).map((name) =>
    Object.fromEntries(Object.entries(data).filter(([key]) => key !== name)),
  );
  return [{ ...data, nosuch: 1 }, ...swapped, ...missing];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
