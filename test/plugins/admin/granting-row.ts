/** How a row of the matrix of rights and endpoints looks. */

/** A request, and the code by which it is refused; by default that of what grants more. */
export interface Sent {
  /** Below `/admin`. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly code?: string;
}

/** Ids of things with rights. */
export interface Things {
  readonly token: string;
  readonly userRole: string;
  readonly user: string;
  readonly webhook: string;
  readonly account: string;
  readonly invitation: string;
  readonly role: string;
  readonly roleName: string;
  readonly release: number;
}

/** What there is to ask about. */
export interface Asked {
  /** Things whose rights no partial role has. */
  readonly above: Things;
  /** Things with the right to read notes, which every partial role has. */
  readonly below: Things;
  /** The public's role of end users. */
  readonly publicRole: string;
  /** A webhook without content, with a header. */
  readonly plainWebhook: string;
  /** An article that is not published. */
  readonly article: string;
}

/** An endpoint. One without `above` gives, changes and reveals no rights, as `harmless` says. */
export interface SettingsRow {
  /** Each is refused, and changes nothing. */
  readonly above?: (asked: Asked) => readonly Sent[];
  /** Is done. */
  readonly within: (asked: Asked) => Sent;
  readonly harmless?: string;
}

/** A right that no partial role has. */
export const PAYROLL = "api::payroll.payroll.find";
/** A right that every partial role has. */
export const NOTE = "api::note.note.find";

/** A row of an endpoint that is read. */
export const reads = (path: string | ((asked: Asked) => string)): SettingsRow => ({
  within: (asked) => ({ path: typeof path === "string" ? path : path(asked) }),
  harmless: "it is read without secrets",
});
/** A row of an endpoint that gives no rights, and why. */
export const harmless = (reason: string, within: SettingsRow["within"]): SettingsRow => ({ within, harmless: reason });
