/** Bounds of a collection. */
export const runLimits = {
  /**
   * Time without a heartbeat after which a run counts as interrupted and another process may take it over. It is long
   * because indexing ten million records blocks timers for minutes. A process that ended on this machine is noticed
   * at once.
   */
  leaseMs: 10 * 60_000,
  heartbeatMs: 15_000,
  /** A run that stored a response within this time is resumed at any age: the quota can stretch it over 35 days. */
  progressMs: 2 * 24 * 60 * 60_000,
  /** Calls under way at once for an axis; the client keeps the pace. */
  callsAtOnceMax: 6,
  /** Paged requests under way at once. */
  requestsAtOnceMax: 12,
  /** Pages of one request: ten million rows at a thousand a page. */
  pagesMax: 10_000,
  /** Pages in the first group that is fetched at once. This many empty pages in a row end a list. */
  pageGroupMin: 12,
  /** Copies of an odd page or file; two equal copies end the fetching earlier. */
  copiesMax: 4,
  /** Pages fetched again because they share rows. If their copies stay equal, the source itself lists rows twice. */
  repeatsComparedMax: 10,
  /** In a series of empty requests, one of this many is sent again; an even number. */
  emptySampleStep: 10,
  /** Times that the odd pages of a request are fetched again, or that an axis is enumerated. */
  roundsMax: 5,
  /** If more than this share of pages has another total, the list itself is changing, and more copies do not help. */
  changingShareMax: 0.1,
  /** Responses that are synced together, unless `unsyncedMs` have passed since the last sync. */
  unsyncedMax: 64,
  unsyncedMs: 500,
  /** Newest runs of a source whose responses stay stored, in addition to the last published run. */
  runsKept: 2,
  /** Refused requests, before any is answered, after which a collection stops early. */
  firstRefusalsMax: 20,
  /** Runs in which a request may fail while others are answered; after them the axis does without it. */
  failedRunsMax: 3,
  /** Refusals in a row that a retry confirms; the remaining ones are then final without a retry. */
  confirmedRefusalsMax: 20,
  /** Page size that every service is expected to accept; requested after larger pages were refused. */
  safePageSize: 100,
  /** Share of requests that may have no answer; above it the previous data stays. */
  unansweredShareMax: 0.1,
  /** Share of records that may be missing at once; above it the previous data stays. */
  lossShareMax: 0.3,
  /**
   * Share of the rows counted by the portal that may be missing, while fewer are missing from the served data; above
   * it the previous data stays.
   */
  missingShareMax: 0.05,
  /** Share by which the totals of a changing list may differ; above it they contradict each other. */
  totalDriftMax: 0.05,
  /** Share of the rows counted by the portal that may be missing from first data; above it nothing is published. */
  missingFirstShareMax: 0.3,
  /** Share of records that may have an impossible position or an unknown region. */
  misplacedShareMax: 0.2,
  /** Share of records that may have damaged text, unless the served records are as damaged. */
  damagedShareMax: 0.05,
  /** Share of different answers among the requests with records; below it the service ignores the parameters. */
  differentShareMin: 0.1,
  /** Number of records or answers below which a share says nothing. */
  shareRowsMin: 20,
  /** Interval at which a long collection publishes its finished sources. */
  publishEveryMs: 15 * 60_000,
  /** Length of an upstream's message in the job store, in UTF-16 units. */
  messageLengthMax: 500,
} as const;
