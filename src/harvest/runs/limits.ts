/** Every bound of a collection, in one place. */
export const runLimits = {
  /**
   * Without a sign of life for so long, a run counts as interrupted and may be taken over. Indexing ten
   * million records takes minutes in which no timer runs; a process of this machine that is gone is seen at once.
   */
  leaseMs: 10 * 60_000,
  heartbeatMs: 15_000,
  /** Calls under way at once, over all requests of an axis; the client keeps the pace. */
  callsAtOnceMax: 6,
  /** Paged requests under way at once. */
  requestsAtOnceMax: 12,
  /** Pages of one request: ten million rows at a thousand a page. */
  pagesMax: 10_000,
  /** Copies of an odd page or file that are fetched, until two are equal. */
  copiesMax: 4,
  /** Rounds of fetching the odd pages of a request again. */
  roundsMax: 5,
  /** Above this share of pages with another total the list itself changes, and another copy is no help. */
  movingShareMax: 0.1,
  /** Responses that are synced together. */
  unsyncedMax: 64,
  unsyncedMs: 500,
  /** Runs of a source whose responses are kept, the newest first, besides the last that was published. */
  runsKept: 2,
  /** Requests refused with “no such operation”, without one that was not, after which no other is sent. */
  refusedFirstMax: 20,
  /** Share of requests that may be refused for good before the previous data stays. */
  refusedShareMax: 0.1,
  /** Share of records that may go at once. */
  lossShareMax: 0.3,
  /** Share of records whose place may be impossible or unknown. */
  misplacedShareMax: 0.2,
  /** Below this many records a share means nothing. */
  shareRowsMin: 20,
  /** A long collection publishes what is complete so often. */
  publishEveryMs: 15 * 60_000,
  /** Length of a foreign message in the job store, in UTF-16 units. */
  messageLengthMax: 500,
} as const;
