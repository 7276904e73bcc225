import { useEffect, useState } from "react";
import type { FileView, LibraryFile } from "../../../src/wire/files.js";
import type { MediaSearch } from "../../app/media-search.js";
import type { PickerProps } from "../../fields/media/picker-props.js";
import { groupOf } from "../../fields/media/preview.js";
import { Library } from "./library.js";
import { changedPlace, type Place, PlaceProvider } from "./place.js";
import { useSelection } from "./selection.js";

interface ChoosingProps extends PickerProps {
  readonly onChange: (files: readonly FileView[]) => void;
}

/** The screen of files where they are chosen. What is uploaded in it is chosen at once. */
export default function Picker({ types, isMultiple, onChange }: ChoosingProps) {
  const [search, setSearch] = useState<MediaSearch>({});
  const selection = useSelection(isMultiple);
  const { files } = selection;
  useEffect(() => onChange(files), [files, onChange]);
  const place: Place = {
    search,
    isAddress: false,
    change: (next) => setSearch((before) => changedPlace(before, next)),
  };
  const choose = (file: LibraryFile) => {
    if (types.length === 0 || types.includes(groupOf(file.mime))) selection.add([file]);
  };
  return (
    <PlaceProvider value={place}>
      <Library selection={selection} types={types} isPicking onUploaded={choose} />
    </PlaceProvider>
  );
}
