import { createError } from "@plinth/core";

/** The configuration of the plugin, or of its provider, cannot be used; every problem at once. */
export const ConfigInvalidError = createError<{ readonly problems: readonly string[] }>(
  "PLINTH_UPLOAD_CONFIG_INVALID",
  500,
  (d) => `The configuration of upload is wrong:\n${d.problems.map((problem) => `  ${problem}`).join("\n")}`,
  {
    cause: "config/plugins holds a key or value for upload that it does not understand.",
    remedy: "Correct each line that the message lists.",
  },
);

/** The package of a provider cannot be used. */
export const ProviderInvalidError = createError<{ readonly provider: string; readonly reason: string }>(
  "PLINTH_UPLOAD_PROVIDER_INVALID",
  500,
  (d) =>
    `The provider "${d.provider}" of upload ${d.reason}. Install a package that exports a ProviderFactory as its default, or use "local".`,
  {
    cause: "`provider` names a package that is not installed, or whose default export makes no storage provider.",
    remedy: 'Install the package, correct its name, or set `provider: "local"`.',
  },
);

/** A request without a file in it, or with an empty one. */
export const NoFilesError = createError<object>("PLINTH_UPLOAD_NO_FILES", 400, () => "Files are empty", {
  cause: "The request has no file in the field `files`, or one of them has no bytes.",
  remedy: "Send multipart/form-data with the files in the field `files`.",
});

/** More than one content for one file. */
export const SeveralFilesError = createError<object>(
  "PLINTH_UPLOAD_SEVERAL_FILES",
  400,
  () => "Cannot replace a file with multiple ones",
  {
    name: "ValidationError",
    cause: "A request with `?id=` carries several files.",
    remedy: "Send one file, or none to change its info.",
  },
);

/** A malformed or incomplete multipart body. */
export const MalformedUploadError = createError<{ readonly reason: string }>(
  "PLINTH_UPLOAD_MALFORMED",
  400,
  (d) => `The multipart body cannot be read: ${d.reason}`,
  {
    cause: "The body is not well-formed multipart/form-data, or ends before its last boundary.",
    remedy: "Let the client's library write the body and its Content-Type, boundary included.",
  },
);

/** More bytes, files or fields than a request may carry. */
export const TooLargeError = createError<{ readonly limit: string }>(
  "PLINTH_UPLOAD_TOO_LARGE",
  413,
  (d) => `The upload is too large: ${d.limit}.`,
  {
    cause: "A file, all files, all fields, or their number is above a limit of the plugin's configuration.",
    remedy: "Send less at once, or raise the limit that the message names in config/plugins.",
  },
);

/** Neither the temporary folder nor the storage takes more. */
export const NoSpaceError = createError<object>(
  "PLINTH_UPLOAD_NO_SPACE",
  507,
  () => "The temporary folder or the storage of uploads is full; nothing of the request was kept.",
  {
    cause: "The disk of the temporary folder or of the storage is full, or a quota is used up.",
    remedy:
      "Make room, or move `temporaryDirectory` or the storage's directory to a larger disk; the log says which file it was. Deleted files stay for `keepDeleted` days (7) where the app has jobs: `plinth upload check --remove-deleted` removes them at once.",
    answer:
      "There is no space left for files. Nothing of this was kept. Files that were deleted may take space for some more days.",
  },
);

/** The storage does not answer. */
export const StorageUnreachableError = createError<{ readonly reason: string }>(
  "PLINTH_UPLOAD_STORAGE_UNREACHABLE",
  503,
  (d) => `The storage of uploads does not answer: ${d.reason}. Nothing of the request was kept in the database.`,
  {
    cause: "The storage is down, its address is wrong, or the network between is broken or too slow.",
    remedy:
      "Check the storage and `providerOptions.endpoint`, and send the request again. `plinth upload check` finds files that were stored half-way.",
    answer: "Files cannot be stored at the moment. Nothing of this was kept. Try again later.",
  },
);

/** A name that a file cannot have. */
export const NameInvalidError = createError<object>(
  "PLINTH_UPLOAD_NAME_INVALID",
  400,
  () => "File name contains invalid characters",
  {
    name: "ApplicationError",
    cause: "The name of a file has slashes, backslashes or control characters, is too long, or is not a name at all.",
    remedy: "Send a name of 1 to 255 characters, without a path.",
  },
);

/** The info of a file is invalid. */
export const InfoInvalidError = createError<{ readonly errors: readonly InfoProblem[] }>(
  "PLINTH_UPLOAD_INFO_INVALID",
  400,
  (d) => (d.errors.length === 1 ? (d.errors[0]?.message ?? "") : `${d.errors.length} errors occurred`),
  {
    cause:
      "`fileInfo`, or the body about a folder, is not a JSON object, or has an unknown key or a value of another type.",
    remedy: "Correct what details.errors lists.",
  },
);

/** One problem of the info of a file. */
export interface InfoProblem {
  readonly path: readonly string[];
  readonly message: string;
  readonly name: "ValidationError";
}

/** A document that files cannot be put into. */
export const LinkInvalidError = createError<{ readonly key: "ref" | "refId" | "field"; readonly reason: string }>(
  "PLINTH_UPLOAD_LINK_INVALID",
  400,
  (d) => `${d.key} ${d.reason}`,
  {
    cause: "`ref`, `refId` and `field` name no media attribute of an existing document, or not all of them were sent.",
    remedy: "Send the uid of a content-type, the id of a document of it, and the name of one of its media attributes.",
  },
);

/** An id that no file can have. */
export const IdInvalidError = createError<{ readonly id: string }>(
  "PLINTH_UPLOAD_ID_INVALID",
  400,
  (d) => `"${d.id}" is not an id; use the numeric id of a file.`,
  {
    cause: "A path or `?id=` has something other than digits where the row id of a file belongs.",
    remedy: "Use the `id` that lists of files show.",
  },
);

/** A list asks for files of an unknown group. */
export const UnknownGroupError = createError<{ readonly name: string }>(
  "PLINTH_UPLOAD_GROUP_UNKNOWN",
  400,
  (d) => `types: "${d.name}" is not a group of files; use images, videos, audios or files.`,
  {
    cause: "`types` of `GET /admin/api/files` names something other than the groups that media attributes allow.",
    remedy: "Send images, videos, audios or files, several with commas.",
  },
);

/** There is no such file. */
export const FileNotFoundError = createError<object>("PLINTH_UPLOAD_NOT_FOUND", 404, () => "file.notFound", {
  cause: "No file has the id of the request, or it was deleted meanwhile.",
  remedy: "Look the file up in `GET /api/upload/files`.",
});

/** There is no such file to be changed. */
export const EntityNotFoundError = createError<object>(
  "PLINTH_UPLOAD_ENTITY_NOT_FOUND",
  404,
  () => "Entity not found",
  { cause: "No file has the id that `?id=` names.", remedy: "Look the file up in `GET /api/upload/files`." },
);

/** A file was to be replaced by one of another kind. */
export const ExtensionDiffersError = createError<{ readonly ext: string; readonly given: string }>(
  "PLINTH_UPLOAD_EXTENSION_DIFFERS",
  400,
  (d) => `The url of this file ends in "${d.ext}" and stays; replace it with such a file, not with a "${d.given}".`,
  {
    cause: "A request with `?id=` carries a file whose content is of another kind than the file that it replaces.",
    remedy: "Send a file of the same kind, or upload it as a new one.",
  },
);

/** A file that documents use was to be deleted. */
export const FileInUseError = createError<{
  readonly documentId: string;
  readonly count: number;
  readonly uses: readonly object[];
}>(
  "PLINTH_UPLOAD_IN_USE",
  409,
  (d) => `${d.count} place(s) use this file; take it out of them, or delete it with ?force=true.`,
  {
    cause: 'The configuration refuses to delete files that documents use (`onDeleteInUse: "refuse"`).',
    remedy: "Take the file out of the documents that details.uses lists, or confirm with `?force=true`.",
  },
);

/** A folder with something in it was to be deleted. */
export const FolderNotEmptyError = createError<{ readonly files: number; readonly folders: number }>(
  "PLINTH_UPLOAD_FOLDER_NOT_EMPTY",
  409,
  (d) =>
    d.files + d.folders === 0
      ? "The folder holds files or folders that you do not see; somebody who sees them has to move them first."
      : `The folder holds ${d.files} file(s) and ${d.folders} folder(s); move or delete them first.`,
  {
    cause: "The folder is not empty. `details` counts what the caller finds in it.",
    remedy: "Move or delete what is in the folder, and then delete the folder.",
  },
);

/** There is no such folder. */
export const FolderNotFoundError = createError<object>(
  "PLINTH_UPLOAD_FOLDER_NOT_FOUND",
  404,
  () => "There is no such folder.",
  {
    cause: "No folder that the caller finds has the id of the request, or it was deleted meanwhile.",
    remedy: "Look the folder up in `GET /admin/api/folders`.",
  },
);

/** No part of a file can be cut out. */
export const CutRefusedError = createError<{ readonly reason: string }>(
  "PLINTH_UPLOAD_CUT_REFUSED",
  400,
  (d) => d.reason,
  {
    cause: "The file is no picture that is made of pixels, or the part lies outside of it.",
    remedy: "Choose a part inside of a JPEG, PNG, GIF, WebP, AVIF or TIFF.",
  },
);

/** A folder cannot be created, changed or deleted as requested. */
export const FolderRefusedError = createError<{ readonly reason: string }>(
  "PLINTH_UPLOAD_FOLDER_REFUSED",
  400,
  (d) => d.reason,
  {
    cause: "The folder would contain itself, has the name of another folder in the same place, or is not empty.",
    remedy: "Do as the message says.",
  },
);

/** The storage was used before it was opened. */
export const StorageClosedError = createError<object>(
  "PLINTH_UPLOAD_STORAGE_CLOSED",
  500,
  () => 'The storage is not open yet; a plugin that uses files when it starts says so by `after: ["upload"]`.',
  {
    cause: "A plugin used files in its bootstrap, and came before upload.",
    remedy: 'Put `after: ["upload"]`, or `dependsOn: ["upload"]`, into the plugin.',
  },
);

/** A file cannot be stored, read or deleted under a name. */
export const KeyInvalidError = createError<{ readonly key: string }>(
  "PLINTH_UPLOAD_KEY_INVALID",
  500,
  (d) =>
    `${JSON.stringify(d.key)} is not a key of a file; a key has letters, digits, "_", "-" and ".", and does not begin with ".".`,
  {
    cause:
      "`hash` and `ext` of a row of files, or the code of a plugin, name a place that could be outside of the storage.",
    remedy: "Correct hash and ext of the row; keys are made by uploads, as `harbour_1f2e3d4c5b.png`.",
  },
);

/** The storage cannot be listed. */
export const StorageNotListableError = createError<{ readonly provider: string }>(
  "PLINTH_UPLOAD_NOT_LISTABLE",
  500,
  (d) => `The provider "${d.provider}" cannot list its files, so they cannot be compared with the table.`,
  {
    cause: "`plinth upload check` ran with a provider that has no `list`.",
    remedy: "Compare with the tools of the storage itself, or use a provider that lists.",
  },
);

/** The name of a file does not match its content. */
export const TypeMismatchError = createError<{ readonly name: string; readonly ext: string; readonly mime: string }>(
  "PLINTH_UPLOAD_TYPE_MISMATCH",
  400,
  (d) =>
    `The name of "${d.name}" ends in ${d.ext}, and its content is ${d.mime}. Send the file under a name that fits it.`,
  {
    cause: "The type of a file is detected from its content, and the extension of its name is that of another type.",
    remedy: "Give the file the extension of its type, or send the right file.",
  },
);

/** Files of this type are not allowed. */
export const TypeRefusedError = createError<{ readonly name: string; readonly mime: string }>(
  "PLINTH_UPLOAD_TYPE_REFUSED",
  400,
  (d) => `"${d.name}" is ${d.mime}, which is not accepted here.`,
  {
    cause:
      "The lists of the plugin's configuration (`types.allow`, `types.deny`) leave out what the content of the file is.",
    remedy: "Send a file of another type, or change `types` in config/plugins.",
  },
);

/** A file is an image and something else as well. */
export const PolyglotError = createError<{ readonly name: string; readonly mime: string; readonly what: string }>(
  "PLINTH_UPLOAD_POLYGLOT",
  400,
  (d) => `"${d.name}" is ${d.mime} and ${d.what} at once. Save the image again with an image program, and send that.`,
  {
    cause: "An image contains HTML, SVG, PHP, a PDF or a ZIP, which some programs would open.",
    remedy: "Save the image again, or send what it contains as a file of its own.",
  },
);

/** An SVG has active content. */
export const ActiveSvgError = createError<{ readonly name: string; readonly what: string }>(
  "PLINTH_UPLOAD_SVG_ACTIVE",
  400,
  (d) => `The SVG "${d.name}" has ${d.what}. Export it as a plain picture.`,
  {
    cause: "An SVG has a script, an event handler, an embedded page or something else that is more than a picture.",
    remedy: "Export it as a plain SVG, or remove what the message names.",
  },
);

/** An image has too many pixels. */
export const ImageTooLargeError = createError<{
  readonly name: string;
  readonly pixels: number;
  readonly maxPixels: number;
}>(
  "PLINTH_UPLOAD_IMAGE_TOO_LARGE",
  400,
  (d) => `The image "${d.name}" has ${d.pixels} pixels, all frames together; at most ${d.maxPixels} are accepted.`,
  {
    cause: "The header of an image declares more pixels than `images.maxPixels`; it was not decoded.",
    remedy: "Send it smaller, or raise `images.maxPixels` in config/plugins.",
  },
);

/** An image cannot be decoded. */
export const ImageBrokenError = createError<{ readonly name: string; readonly reason: string }>(
  "PLINTH_UPLOAD_IMAGE_BROKEN",
  400,
  (d) => `The image "${d.name}" cannot be read: ${d.reason}`,
  {
    cause: "A file has the header of an image, and is damaged or truncated.",
    remedy: "Open it in an image program, save it again, and send that.",
  },
);
