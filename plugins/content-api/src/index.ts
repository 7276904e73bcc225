/** The public entry of the content-api plugin: the plugin itself and its contract. */
export {};
