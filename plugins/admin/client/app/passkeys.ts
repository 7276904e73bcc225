import type { PasskeyOptions } from "../../src/wire/second-factor.js";
import type { SignedIn } from "../../src/wire/account.js";
import { api } from "./api.js";

/** The library is loaded when a passkey is made or used. */
const load = () => import("@simplewebauthn/browser");

/** Whether this browser has passkeys at this address: they are for names, and not for IP addresses. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === "function" && window.isSecureContext && !/^[\d.]+$|:/.test(location.hostname);

/** Signs in with a passkey: as the second half, or, where no password was given, as a whole. @throws ApiError, what the browser says */
export async function signInByPasskey(stay: boolean): Promise<SignedIn> {
  const { options } = await api<PasskeyOptions>("/session/passkey", { method: "POST", body: { stay } });
  const { startAuthentication } = await load();
  const passkey = await startAuthentication({ optionsJSON: options as never });
  return api<SignedIn>("/session/second-factor", { method: "POST", body: { passkey } });
}

/** Makes a passkey of options of the server. @throws what the browser says */
export async function makePasskey(options: object): Promise<object> {
  const { startRegistration } = await load();
  return startRegistration({ optionsJSON: options as never });
}

/** Whether an error says that somebody closed the browser's window, or took too long. */
export const isCancelled = (error: unknown): boolean =>
  error instanceof Error && ["NotAllowedError", "AbortError"].includes(error.name);
