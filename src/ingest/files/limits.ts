/** Limits of one file; a file that exceeds one is refused with `too_large` or `zip_bomb`. */
export interface FileLimits {
  /** Bytes after inflating, of one file or of all members of an archive together. */
  readonly expandedBytesMax: number;
  /** Maximum ratio of inflated to packed bytes. Real files reach 25; deflate can reach 1,032. */
  readonly expansionRatioMax: number;
  /** Number of inflated bytes up to which the ratio is not checked. */
  readonly expansionRatioFromBytes: number;
  readonly archiveMembersMax: number;
  /** Maximum depth of archives inside archives. */
  readonly archiveDepthMax: number;
  /** Inflated bytes of a workbook. Loading it takes about three times as much memory, seven times for XLS. */
  readonly workbookBytesMax: number;
  /** Bytes of one column in a row group of a Parquet file, which is read as a whole. */
  readonly columnGroupBytesMax: number;
  readonly columnsMax: number;
  /** Columns that are added for cells beyond the header; a row with more cells is unreadable. */
  readonly surplusColumnsMax: number;
  /** UTF-16 units of one record or one quoted cell. */
  readonly recordUnitsMax: number;
  /** UTF-16 units of a JSON document that is one object, which is parsed as a whole. */
  readonly documentUnitsMax: number;
  /** UTF-16 units of the GeoJSON of one shape: about 5,000 positions. */
  readonly geometryUnitsMax: number;
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
  columnGroupBytesMax: 128 * 1024 ** 2,
  columnsMax: 4_096,
  surplusColumnsMax: 64,
  recordUnitsMax: 4 * 1024 ** 2,
  documentUnitsMax: 16 * 1024 ** 2,
  geometryUnitsMax: 128 * 1024,
  depthMax: 64,
};
