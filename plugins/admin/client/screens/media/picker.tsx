import { useState } from "react";
import type { LibraryFile } from "../../../src/wire/files.js";
import type { MediaSearch } from "../../app/media-search.js";
import type { LibraryProps } from "../../fields/media/library.js";
import { groupOf } from "../../fields/media/preview.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Library } from "./library.js";
import { changedPlace, type Place, PlaceProvider } from "./place.js";
import { useSelection } from "./selection.js";

/** The screen of files in a drawer, where files are chosen. What is uploaded in it is chosen at once. */
export default function Picker({ types, isMultiple, onPick, onClose }: LibraryProps) {
  const [search, setSearch] = useState<MediaSearch>({});
  const selection = useSelection(isMultiple);
  const place: Place = {
    search,
    isAddress: false,
    change: (next) => setSearch((before) => changedPlace(before, next)),
  };
  const choose = (file: LibraryFile) => {
    if (types.length === 0 || types.includes(groupOf(file.mime))) selection.add([file]);
  };
  const { files } = selection;
  return (
    <Dialog
      isOpen
      shape="wide-drawer"
      title={t("media.library")}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button look="primary" disabled={files.length === 0} onClick={() => onPick(files)}>
            {t("media.take", { count: files.length })}
          </Button>
        </>
      }
    >
      <PlaceProvider value={place}>
        <Library selection={selection} types={types} isPicking onUploaded={choose} />
      </PlaceProvider>
    </Dialog>
  );
}
