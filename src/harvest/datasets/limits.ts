/** Every bound on a dataset that is collected by its number. */
export const datasetLimits = {
  /** One file; a larger one is for a browser and `./maru load`. */
  fileBytesMax: 2 * 1024 ** 3,
  /** A page of the portal, an answer that names a file, a Swagger. */
  pageBytesMax: 16 * 1024 ** 2,
  /** From the first byte sent to the last received of a file. */
  fileTimeoutMs: 60 * 60_000,
  /** Versions of a dataset that are kept, the newest first. */
  versionsKept: 200,
  /** Bytes of a file's name, as file systems count them. */
  nameBytesMax: 200,
  /** A list of datasets to collect. */
  listBytesMax: 1024 ** 2,
  listCodesMax: 10_000,
  /** Entries of the catalog that one query may mean. */
  catalogEntriesMax: 5_000,
} as const;
