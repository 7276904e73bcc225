import type { FolderView } from "../../../src/wire/files.js";

/** Folders by where they lie. */
export class FolderTree {
  readonly #byId: ReadonlyMap<string, FolderView>;
  readonly #children = new Map<string | null, FolderView[]>();

  /** @param folders - by name; one whose parent is not among them lies at the top */
  constructor(readonly folders: readonly FolderView[]) {
    this.#byId = new Map(folders.map((folder) => [folder.documentId, folder]));
    for (const folder of folders) {
      const parent = folder.parent !== null && this.#byId.has(folder.parent) ? folder.parent : null;
      const siblings = this.#children.get(parent);
      if (siblings) siblings.push(folder);
      else this.#children.set(parent, [folder]);
    }
  }

  /** A folder; undefined where the reader finds none. */
  get(documentId: string): FolderView | undefined {
    return this.#byId.get(documentId);
  }

  /** The folders in one, or at the top. */
  childrenOf(documentId: string | null): readonly FolderView[] {
    return this.#children.get(documentId) ?? [];
  }

  /** The folders on the way to one, itself last; none for the top. */
  pathTo(documentId: string | null | undefined): readonly FolderView[] {
    const path: FolderView[] = [];
    let folder = documentId ? this.#byId.get(documentId) : undefined;
    while (folder && !path.includes(folder)) {
      path.unshift(folder);
      folder = folder.parent === null ? undefined : this.#byId.get(folder.parent);
    }
    return path;
  }

  /** Every folder in the order of a tree that is open, with its depth from 0; those of a folder are left out with it. */
  listed(without?: string): readonly { readonly folder: FolderView; readonly depth: number }[] {
    const below = (parent: string | null, depth: number): ReturnType<FolderTree["listed"]> =>
      this.childrenOf(parent)
        .filter(({ documentId }) => documentId !== without)
        .flatMap((folder) => [{ folder, depth }, ...below(folder.documentId, depth + 1)]);
    return below(null, 0);
  }
}
