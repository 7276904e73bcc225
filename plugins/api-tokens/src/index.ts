/** The public entry of the api-tokens plugin. */
export {};
