/** An administrator as others see them. */
export interface Person {
  readonly id: number;
  /** The e-mail address where no name was given. */
  readonly name: string;
}

/** The administrator who is signed in. */
export interface Account extends Person {
  readonly documentId: string;
  readonly email: string;
  /** Name of the role: `super`, `editor`, `author`, or one of the configuration. */
  readonly role: string;
  /** Language of the page, as BCP 47 has it; null: that of the browser. */
  readonly language: string | null;
}

/** Answer of everything that opens a session. */
export interface SignedIn {
  readonly user: Account;
  /** The role asks for a second factor, and there is none: nothing else is open until there is one. */
  readonly mustSetUp?: boolean;
  /** That the password was given just now, where `mustSetUp` is: goes along as `X-Plinth-Confirmation`. */
  readonly confirmation?: string;
}

/** `POST /admin/api/welcome`: makes the first administrator. */
export interface Welcome {
  /** What stands behind `#` in the link that the start prints. */
  readonly code: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** One entry of `GET /admin/api/sessions`. */
export interface SessionView {
  readonly id: string;
  readonly isCurrent: boolean;
  /** What the browser says it is. */
  readonly agent: string;
  /** Of the address that it was opened from: `203.0.113.0/24`; null: it was not kept. */
  readonly network: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601, a minute late at most. */
  readonly lastUsedAt: string;
}
