import { parseUid, type Uid } from "../base/uid.js";

declare const TYPE: unique symbol;

/** A service's uid that carries its type; importing it is the dependency. */
export interface ServiceRef<S> {
  readonly kind: "service";
  readonly uid: Uid;
  /** Absent at run time; holds `S` for inference. */
  readonly [TYPE]?: S;
}

/** An extension's uid that carries its type. */
export interface ExtensionRef<E> {
  readonly kind: "extension";
  readonly uid: Uid;
  /** Absent at run time; holds `E` for inference. */
  readonly [TYPE]?: E;
}

/**
 * Uid -> type, for services and extensions by string. Empty here: the contract.ts of each plugin adds its public
 * ones by declaration merging. Inside plugins use refs: a merged name is visible even where the plugin that
 * declares it is not a dependency.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be merged into
export interface Services {}

/**
 * Uid -> type, for services that are files of an app. Empty here: `plinth types` adds those of an app. Where `Services`
 * says what a service is, that counts.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be merged into
export interface ServiceFiles {}

/** The services and extensions that the compiler knows by their uid. */
export type ServiceUid = (keyof Services | keyof ServiceFiles) & string;

/** What the compiler knows of a service. */
export type ServiceAt<U> = U extends keyof Services
  ? Services[U]
  : U extends keyof ServiceFiles
    ? ServiceFiles[U]
    : never;

/** What a file of a `services/` folder makes: `MadeBy<typeof import("../src/services/prices.js").default>`. */
export type MadeBy<File> = File extends (...tools: never[]) => infer Made ? Made : File;

/** The type that a ref carries. */
export type ServiceOf<R> = R extends ServiceRef<infer S> ? S : never;

/**
 * Declares a service by name and type: something that acts. It is created lazily, once, and can be used from bootstrap
 * on.
 *
 * @throws PLINTH_UID_INVALID
 */
export function serviceRef<S>(uid: Uid): ServiceRef<S> {
  parseUid(uid);
  return { kind: "service", uid };
}

/**
 * Declares an extension by name and type: something that collects. Plugins and the app fill it during register, its
 * owner reads it afterwards.
 *
 * @throws PLINTH_UID_INVALID
 */
export function extensionRef<E>(uid: Uid): ExtensionRef<E> {
  parseUid(uid);
  return { kind: "extension", uid };
}
