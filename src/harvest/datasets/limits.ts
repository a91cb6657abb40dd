/** Bounds of datasets that are collected by their numbers. */
export const datasetLimits = {
  /** Size of a file; a larger one needs a browser and `./maru load`. */
  fileBytesMax: 2 * 1024 ** 3,
  /** Size of a page of the portal, or of a Swagger document. */
  pageBytesMax: 16 * 1024 ** 2,
  /** From the start of a request to the end of its file. */
  fileTimeoutMs: 60 * 60_000,
  /** Stored versions of a dataset, the newest first. */
  versionsKept: 200,
  /** Length of a file’s name in UTF-8. */
  nameBytesMax: 200,
  /** Size of a list of datasets to collect. */
  listBytesMax: 1024 ** 2,
  listCodesMax: 10_000,
  /** Entries of the catalog that a query may select. */
  catalogEntriesMax: 5_000,
} as const;
