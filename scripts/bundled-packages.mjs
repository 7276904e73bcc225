// Names the packages that are bundled into ours.
/**
 * Packages that are bundled into one of ours, by its folder: it uses a few functions of them, and installed with what they need
 * they take megabytes. They are `devDependencies`, and loaded when they are used, as what is imported late is a file of its own.
 */
export const BUNDLED = { "plugins/admin": ["@simplewebauthn/server", "otpauth"] };
