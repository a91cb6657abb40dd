/** Bounds of one file; a file beyond one is refused with `too_large` or `zip_bomb`. */
export interface FileLimits {
  /** Bytes after inflating, of one file or of all members of an archive together. */
  readonly expandedBytesMax: number;
  /** Inflated to packed bytes. The portal's most repetitive real files reach 25; deflate can reach 1,032. */
  readonly expansionRatioMax: number;
  /** Below this many inflated bytes the ratio is not looked at. */
  readonly expansionRatioFromBytes: number;
  readonly archiveMembersMax: number;
  /** Archives that are opened inside each other. */
  readonly archiveDepthMax: number;
  /** Inflated bytes of a workbook, which is read as a whole: about seven times as much memory. */
  readonly workbookBytesMax: number;
  readonly columnsMax: number;
  /** Columns added for cells beyond the header; a row with more is broken, not wide. */
  readonly surplusColumnsMax: number;
  /** UTF-16 units of one record or one quoted cell. */
  readonly recordUnitsMax: number;
  /** UTF-16 units of a JSON document that is one object, which is parsed as a whole. */
  readonly documentUnitsMax: number;
  /** Nesting of JSON and XML. */
  readonly depthMax: number;
}

export const defaultFileLimits: FileLimits = {
  expandedBytesMax: 8 * 1024 ** 3,
  expansionRatioMax: 300,
  expansionRatioFromBytes: 64 * 1024 ** 2,
  archiveMembersMax: 2_000,
  archiveDepthMax: 2,
  workbookBytesMax: 128 * 1024 ** 2,
  columnsMax: 4_096,
  surplusColumnsMax: 64,
  recordUnitsMax: 4 * 1024 ** 2,
  documentUnitsMax: 16 * 1024 ** 2,
  depthMax: 64,
};
