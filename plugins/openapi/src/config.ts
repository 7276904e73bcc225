import { option, options, optionsParser, text, type OptionsOf } from "@plinth/core/options";
import { InvalidOpenApiConfigError } from "./errors.js";

/** What `config` of the plugin may hold. */
export const openApiConfig = options({
  title: option(text(), "What the API is called: `info.title`.", "API"),
  version: option(text(), "Of the API, not of OpenAPI: `info.version`.", "1.0.0"),
  description: option(
    text(),
    "What the API is for: `info.description`.",
    "Content over REST. Names in query strings are checked: what does not exist is a 400 that says so.",
  ),
  server: option(text(), "Where the API is, for use of the document elsewhere: `https://api.example.org`.", "/"),
});

/** The configuration of the plugin, complete. */
export type OpenApiConfig = OptionsOf<typeof openApiConfig>;

/**
 * Checks the plugin's part of config/plugins and fills in what is left out.
 *
 * @throws PLINTH_OPENAPI_CONFIG_INVALID (500) details `{ problems }`
 */
export const parseConfig = optionsParser(openApiConfig, InvalidOpenApiConfigError);
