/** Every bound of measuring search demand. */
export const trendLimits = {
  /** Keywords of one collection: about 2,600 calls, three days at the former service. */
  keywordsMax: 5_000,
  /** Keywords chosen from the catalog, without a list: about 130 requests. */
  keywordsUsual: 200,
  /** Words of one keyword group that are counted together: the service's own bound. */
  synonymsMax: 20,
  /** Size of a file with keywords. */
  keywordBytesMax: 1_024 * 1_024,
  /** Keywords measured beside an anchor: five groups are the service's own bound. */
  batchSize: 4,
  /** Times a keyword is measured until it lies well beside its anchor. */
  triesMax: 4,
  anchorsMax: 20,
  /** Neighbours of a ladder further apart than this make a gap. */
  ladderStepMax: 20,
  /** Whole months that are summed. */
  months: 12,
  /** Windows in which neighbours of the ladder are measured. */
  ladderWindows: 3,
  /** The service documents no limit for bursts; 1,000 requests take eight minutes. */
  callsPerSecond: 2,
  /** Requests a day of the former service; the current one answers 429 by itself. */
  legacyCallsPerDay: 1_000,
  /** Age up to which a run is resumed: a long list waits for several midnights. */
  resumableMs: 7 * 86_400_000,
} as const;
