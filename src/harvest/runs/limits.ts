/** Every bound of a collection, in one place. */
export const runLimits = {
  /**
   * Without a sign of life for so long, a run counts as interrupted and may be taken over. Indexing ten
   * million records takes minutes in which no timer runs; a process of this machine that is gone is seen at once.
   */
  leaseMs: 10 * 60_000,
  heartbeatMs: 15_000,
  /** Calls under way at once, over all questions of an axis; the client keeps the pace. */
  callsAtOnceMax: 6,
  /** Questions under way at once. */
  questionsAtOnceMax: 12,
  /** Pages of one question: ten million rows at a thousand a page. */
  pagesMax: 10_000,
  /** How often an odd page is asked for, until two answers agree. */
  looksMax: 4,
  /** Times a question is gone over when its pages contradict each other. */
  roundsMax: 5,
  /** Past this share of pages with another total the list itself is moving, and looking again is no help. */
  movingShareMax: 0.1,
  /** Answers that wait to be made durable together. */
  unsyncedMax: 64,
  unsyncedMs: 500,
  segmentBytesMax: 64 * 1_024 * 1_024,
  /** Header of one kept answer; a request is far shorter. */
  headerBytesMax: 65_536,
  /** Runs of an axis whose raw answers are kept, the newest first. */
  runsKept: 2,
  /** Questions answered by “no such operation”, without one that was not, after which no other is asked. */
  refusedFirstMax: 20,
  /** Share of questions that may be refused for good before the axis keeps what it had. */
  refusedShareMax: 0.1,
  /** Share of records that may go at once. */
  lossShareMax: 0.3,
  /** Share of records whose place may be impossible or unknown. */
  misplacedShareMax: 0.2,
  /** Below this many records a share says nothing. */
  shareRowsMin: 20,
  /** A long collection publishes what is complete so often. */
  publishEveryMs: 15 * 60_000,
  /** Of a foreign message kept in the job store, in UTF-16 units. */
  messageLengthMax: 500,
} as const;
