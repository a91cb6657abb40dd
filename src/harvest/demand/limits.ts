/** Bounds of measuring search demand. */
export const trendLimits = {
  /** Keywords of one collection: about 2,600 calls, three days at the former service. */
  keywordsMax: 5_000,
  /** Keywords chosen from the catalog, without a list: about 130 requests. */
  defaultKeywordsMax: 200,
  /** Words that are counted as one keyword: the service's limit. */
  synonymsMax: 20,
  /** Size of a file with keywords. */
  keywordBytesMax: 1_024 * 1_024,
  /** Keywords measured with an anchor in one request: the service's limit is five groups. */
  batchSize: 4,
  /** Measurements of a keyword until its anchor fits. */
  triesMax: 4,
  anchorsMax: 20,
  /** Ratio of neighbouring anchors above which the ladder has a gap. */
  ladderStepMax: 20,
  /** Whole months that are summed. */
  months: 12,
  /** Windows in which neighbours of the ladder are measured. */
  ladderWindows: 3,
  /** The service documents no limit for bursts; 1,000 requests take eight minutes. */
  callsPerSecond: 2,
  /** Requests a day of the former service; the current one reports a spent quota itself, with 429. */
  legacyCallsPerDay: 1_000,
  /** Age up to which a run is resumed: a long list takes several daily quotas. */
  resumableMs: 7 * 86_400_000,
} as const;
