/** The library of schemas, as it is packed with core. @source core/decisions/0015-schemas-by-valibot.md */
export * from "../../vendor/valibot.mjs";
