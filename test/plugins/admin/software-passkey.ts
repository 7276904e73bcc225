import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";

/** What a site asks an authenticator for. */
interface Asked {
  readonly challenge: string;
  readonly origin: string;
  /** Domain. */
  readonly site: string;
  /** Whether the user proved themselves to the authenticator. */
  readonly isVerified?: boolean;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

const sha256 = (data: string | Buffer): Buffer => createHash("sha256").update(data).digest();
const url64 = (data: Buffer | string): string => Buffer.from(data).toString("base64url");

/** A passkey that is made of code: what a browser and an authenticator answer. @source https://www.w3.org/TR/webauthn-3/ */
export class SoftwarePasskey {
  readonly #id = randomBytes(16);
  readonly #keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  #counter = 0;

  constructor(private readonly userHandle = "") {}

  /** Answers `navigator.credentials.create`. */
  create(asked: Asked): object {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.#id.length);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.#id, coseKey(this.#keys.publicKey)]);
    const authData = Buffer.concat([this.#head(asked, HAS_CREDENTIAL), credential]);
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      ...[text("fmt"), text("none"), text("attStmt"), Buffer.from([0xa0]), text("authData"), bytes(authData)],
    ]);
    const response = {
      clientDataJSON: url64(clientData("webauthn.create", asked)),
      attestationObject: url64(attestationObject),
      transports: ["internal"],
    };
    return { ...this.#named, response };
  }

  /** Answers `navigator.credentials.get`. */
  get(asked: Asked): object {
    this.#counter += 1;
    const authenticatorData = this.#head(asked, 0);
    const json = clientData("webauthn.get", asked);
    const signer = createSign("sha256").update(Buffer.concat([authenticatorData, sha256(json)]));
    const response = {
      clientDataJSON: url64(json),
      authenticatorData: url64(authenticatorData),
      signature: url64(signer.sign(this.#keys.privateKey)),
      ...(this.userHandle === "" ? {} : { userHandle: url64(this.userHandle) }),
    };
    return { ...this.#named, response };
  }

  /** Counts from the beginning, as a copy would that was made before it was used. */
  countAgain(): void {
    this.#counter = 0;
  }

  get #named() {
    const id = url64(this.#id);
    return { id, rawId: id, type: "public-key", clientExtensionResults: {} };
  }

  #head({ site, isVerified = true }: Asked, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#counter);
    const all = USER_PRESENT | (isVerified ? USER_VERIFIED : 0) | flags;
    return Buffer.concat([sha256(site), Buffer.from([all]), counter]);
  }
}

const clientData = (type: string, { challenge, origin }: Asked): string =>
  JSON.stringify({ type, challenge, origin, crossOrigin: false });

/** CBOR: a text of less than 24 bytes. */
const text = (value: string): Buffer => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);

/** CBOR: bytes. */
function bytes(value: Buffer): Buffer {
  const head = value.length < 256 ? [0x58, value.length] : [0x59, value.length >> 8, value.length & 0xff];
  return Buffer.concat([Buffer.from(head), value]);
}

/** A public key as COSE has it: EC2, ES256, P-256. */
function coseKey(key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const [left, right] = [x, y].map((part) => bytes(Buffer.from(part, "base64url"))) as [Buffer, Buffer];
  const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]);
  return Buffer.concat([head, left, Buffer.from([0x22]), right]);
}
