import { InvalidOpenApiConfigError } from "./errors.js";

/** The configuration of the plugin, complete. */
export interface OpenApiConfig {
  /** What the API is called: `info.title`. */
  readonly title: string;
  /** Of the API, not of OpenAPI: `info.version`. */
  readonly version: string;
  /** What the API is for: `info.description`. */
  readonly description: string;
  /** Where the API is, for those who use the document elsewhere: `https://api.example.org`. */
  readonly server: string;
}

const DEFAULTS: OpenApiConfig = {
  title: "API",
  version: "1.0.0",
  description: "Content over REST. Names in query strings are checked: what does not exist is a 400 that says so.",
  server: "/",
};

/**
 * Checks the plugin's part of config/plugins and fills in what is left out.
 *
 * @throws PLINTH_OPENAPI_CONFIG_INVALID (500) details `{ problems }`
 */
export function parseConfig(raw: unknown): OpenApiConfig {
  if (raw === undefined) return DEFAULTS;
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    throw new InvalidOpenApiConfigError({ problems: ["it must be an object"] });
  }
  const given = Object.entries(raw).filter(([, value]) => value !== undefined);
  const problems = given.flatMap(([key, value]: [string, unknown]) => {
    if (!Object.hasOwn(DEFAULTS, key)) return [`${key} is not known; known are ${Object.keys(DEFAULTS).join(", ")}`];
    return typeof value === "string" && value !== ""
      ? []
      : [`${key} must be a string, and is ${JSON.stringify(value)}`];
  });
  if (problems.length > 0) throw new InvalidOpenApiConfigError({ problems });
  return { ...DEFAULTS, ...(Object.fromEntries(given) as Partial<OpenApiConfig>) };
}
