const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";
const ID_LENGTH = 24;

/** Random characters 0-9 and a-z. `crypto.randomUUID` is not there over plain http. */
export function randomText(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join("");
}

/** The id of a document that is to be made. Sent again with the same id, it is not made twice. */
export const newDocumentId = (): string => randomText(ID_LENGTH);

/** Whether a text can be such an id. */
export const isDocumentId = (text: string | undefined): text is string => /^[0-9a-z]{24}$/.test(text ?? "");
