/** Bounds of a collection. */
export const runLimits = {
  /**
   * Time without a heartbeat after which a run counts as interrupted and may be taken over. Indexing ten million
   * records blocks timers for minutes. The end of a process of this machine is noticed at once.
   */
  leaseMs: 10 * 60_000,
  heartbeatMs: 15_000,
  /** A run that stored a response within this time is resumed however old it is: one of 35 days waits daily. */
  progressMs: 2 * 24 * 60 * 60_000,
  /** Calls under way at once for an axis; the client keeps the pace. */
  callsAtOnceMax: 6,
  /** Paged requests under way at once. */
  requestsAtOnceMax: 12,
  /** Pages of one request: ten million rows at a thousand a page. */
  pagesMax: 10_000,
  /** Pages of the first group that is fetched at once; this many empty ones in a row end a list. */
  pageGroupMin: 12,
  /** Copies of an odd page or file; two equal copies end the fetching earlier. */
  copiesMax: 4,
  /** Pages that share rows, with equal copies each, after which the source is taken to list rows twice. */
  repeatsComparedMax: 10,
  /** Number of empty requests in a row of which one is sent again; an even number. */
  emptySampleStep: 10,
  /** Rounds of fetching the odd pages of a request again. */
  roundsMax: 5,
  /** Above this share of pages with another total, the list itself is changing: further copies do not help. */
  changingShareMax: 0.1,
  /** Responses that are synced together. */
  unsyncedMax: 64,
  unsyncedMs: 500,
  /** Runs of a source whose responses are kept, the newest first, besides the last that was published. */
  runsKept: 2,
  /** Requests refused with “no such operation”, without any answer, that end the collection. */
  refusedFirstMax: 20,
  /** Runs in which a request fails by itself until it counts as refused. */
  failedRunsMax: 3,
  /** Refusals in a row that are the same at a second look; the others are then believed at once. */
  confirmedRefusalsMax: 20,
  /** Rows a page that are requested if a service refuses larger pages. */
  pageSizeRefused: 100,
  /** Share of requests that may be refused; above it the previous data stays. */
  refusedShareMax: 0.1,
  /** Share of records that may be missing at once; above it the previous data stays. */
  lossShareMax: 0.3,
  /**
   * Share of the rows counted by the portal that may be missing, while fewer are missing from the served data; above
   * it the previous data stays.
   */
  missingShareMax: 0.05,
  /** Share by which the totals of a list's pages differ when the list moves; above it they contradict each other. */
  totalDriftMax: 0.05,
  /** Share of these rows that may be missing from the first data of an axis; above it nothing is published. */
  missingFirstShareMax: 0.3,
  /** Share of records that may have an impossible position or an unknown region. */
  misplacedShareMax: 0.2,
  /** Share of records whose text may be damaged while that of the served records is not. */
  damagedShareMax: 0.05,
  /** Share of the requests with records that have an answer of their own; below it, parameters are ignored. */
  sameShareMin: 0.1,
  /** Number of records below which shares are not judged. */
  shareRowsMin: 20,
  /** Interval at which a long collection publishes its finished sources. */
  publishEveryMs: 15 * 60_000,
  /** Length of an upstream's message in the job store, in UTF-16 units. */
  messageLengthMax: 500,
} as const;
