import "react-image-crop/dist/ReactCrop.css";
import { useState } from "react";
import ReactCrop, { centerCrop, makeAspectCrop, type PercentCrop } from "react-image-crop";
import type { CutRequest, LibraryFile } from "../../../src/wire/files.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Field, Select, TextInput, tiedTo } from "../../ui/field.js";
import { Banner, messageOf } from "../../ui/state.js";
import { areaOf, cropOf, type Size } from "./cut-area.js";
import styles from "./detail.module.css";
import { freshUrl } from "./file-kind.js";
import { cutFile } from "./library-requests.js";

interface CutDialogProps {
  readonly file: LibraryFile & Size;
  readonly onDone: (file: LibraryFile) => void;
  readonly onClose: () => void;
}

/** Shapes that are offered; 0: any. */
const SHAPES = [
  ["0", 0],
  ["1:1", 1],
  ["4:3", 4 / 3],
  ["3:2", 3 / 2],
  ["16:9", 16 / 9],
  ["3:4", 3 / 4],
  ["9:16", 9 / 16],
] as const;

const WHOLE: PercentCrop = { unit: "%", x: 0, y: 0, width: 100, height: 100 };
const MOST_OF_IT = 80;

/** Of `harbour.jpg`: `harbour-cut.jpg`. */
const nameOfCut = (name: string): string => name.replace(/(\.[^.]*)?$/, (ext) => `-cut${ext}`);

/** Chooses a part of a picture, by pointer or in pixels, of which the server makes a new file. */
export default function CutDialog({ file, onDone, onClose }: CutDialogProps) {
  const [crop, setCrop] = useState<PercentCrop>(() => centredCrop(file, 0));
  const [shape, setShape] = useState("0");
  const [name, setName] = useState(nameOfCut(file.name));
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const aspect = SHAPES.find(([known]) => known === shape)?.[1] ?? 0;
  const area = areaOf(crop, file);
  const changeShape = (next: string) => {
    setShape(next);
    setCrop(centredCrop(file, SHAPES.find(([known]) => known === next)?.[1] ?? 0));
  };
  const save = async () => {
    setBusy(true);
    setError(undefined);
    try {
      onDone((await cutFile(file.documentId, { ...area, name })).data);
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog
      isOpen
      shape="wide"
      title={t("file.cutTitle")}
      onClose={isBusy ? undefined : onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button look="primary" isBusy={isBusy} onClick={() => void save()}>
            {t("file.cutSave")}
          </Button>
        </>
      }
    >
      {error !== undefined && <Banner kind="wrong">{messageOf(error)}</Banner>}
      <div className={styles.cutStage} dir="ltr">
        <ReactCrop
          crop={crop}
          {...(aspect > 0 ? { aspect } : {})}
          keepSelection
          ruleOfThirds
          ariaLabels={ariaLabels()}
          onChange={(_pixels, next) => setCrop(next)}
        >
          <img src={freshUrl(file)} alt={file.alternativeText ?? ""} className={styles.cutPicture} />
        </ReactCrop>
      </div>
      <CutFields
        {...{ file, area, shape, changeShape, name, setName }}
        onArea={(next) => setCrop(cropOf(next, file))}
      />
    </Dialog>
  );
}

/** As large as it gets in a shape, in the middle. */
function centredCrop({ width, height }: Size, aspect: number): PercentCrop {
  const size = { unit: "%", width: MOST_OF_IT } as const;
  if (aspect === 0) return centerCrop({ ...WHOLE, width: MOST_OF_IT, height: MOST_OF_IT }, width, height);
  const fitting = makeAspectCrop(size, aspect, width, height);
  const shrunk =
    fitting.height > 100 ? makeAspectCrop({ unit: "%", height: MOST_OF_IT }, aspect, width, height) : fitting;
  return centerCrop(shrunk, width, height);
}

interface CutFieldsProps {
  readonly file: Size;
  readonly area: CutRequest;
  readonly shape: string;
  readonly changeShape: (shape: string) => void;
  readonly name: string;
  readonly setName: (name: string) => void;
  readonly onArea: (area: CutRequest) => void;
}

const SIDES = ["x", "y", "width", "height"] as const;

function CutFields({ file, area, shape, changeShape, name, setName, onArea }: CutFieldsProps) {
  const most = { x: file.width - 1, y: file.height - 1, width: file.width - area.x, height: file.height - area.y };
  return (
    <div className={styles.cutFields}>
      <Field label={t("file.cut.shape")}>
        {(ids) => (
          <Select {...tiedTo(ids)} value={shape} onChange={({ target }) => changeShape(target.value)}>
            {SHAPES.map(([known]) => (
              <option key={known} value={known}>
                {known === "0" ? t("file.cut.free") : known}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {SIDES.map((side) => (
        <Field key={side} label={t(`file.cut.${side}`)}>
          {(ids) => (
            <TextInput
              {...tiedTo(ids)}
              type="number"
              inputMode="numeric"
              min={side === "width" || side === "height" ? 1 : 0}
              max={most[side]}
              value={area[side]}
              onChange={({ target }) => onArea({ ...area, [side]: target.valueAsNumber })}
            />
          )}
        </Field>
      ))}
      <div className={styles.cutName}>
        <Field label={t("file.cut.name")} isRequired>
          {(ids) => <TextInput {...tiedTo(ids)} value={name} onChange={({ target }) => setName(target.value)} />}
        </Field>
      </div>
    </div>
  );
}

/** What a screen reader says of the frame and of what it is drawn by. */
function ariaLabels() {
  return {
    cropArea: t("file.cut.area"),
    nwDragHandle: t("file.cut.corner"),
    nDragHandle: t("file.cut.edge"),
    neDragHandle: t("file.cut.corner"),
    eDragHandle: t("file.cut.edge"),
    seDragHandle: t("file.cut.corner"),
    sDragHandle: t("file.cut.edge"),
    swDragHandle: t("file.cut.corner"),
    wDragHandle: t("file.cut.edge"),
  };
}
