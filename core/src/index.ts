/** The public entry of `@plinth/core`: everything a plugin or an app may import, re-exported from the floors. */
export {};
