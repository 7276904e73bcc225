/** `@plinth/core/options`: schemas of configuration, beside those of valibot, and how they are checked. */
export { byteSize, bytesOf, type Size } from "../base/options/values.js";
export { type OptionProblem, optionsParser, type ParsedOptions, parseOptions } from "../base/options/parse-options.js";
export {
  nodeOf,
  type OptionsOf,
  type OptionsSchema,
  partsOf,
  type SchemaNode,
  type SchemaPart,
} from "../base/options/schema-node.js";
export { allowed, noList, option, options, secret, secretList, text, whole } from "../base/options/values.js";
