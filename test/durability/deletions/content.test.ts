import { document } from "./document-races.js";
import { locales } from "./locale-races.js";
import { testDeletions } from "./race.js";

describe("content that is written while what it names is deleted:", () => {
  testDeletions([document, ...locales]);
});
