import { file, folder, movedFolder } from "./library-races.js";
import { testDeletions } from "./race.js";

describe("files that are written while what names or holds them is deleted:", () => {
  testDeletions([file, folder, movedFolder]);
});
