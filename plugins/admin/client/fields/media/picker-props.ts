/** Which files may be chosen. */
export interface PickerProps {
  /** As `allowedTypes` of an attribute; none: every file. */
  readonly types: readonly string[];
  readonly isMultiple: boolean;
}
