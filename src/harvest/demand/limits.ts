/** Bounds of measuring search demand with Naver's search trend service. */
export const trendLimits = {
  /** Keywords of one collection: about 2,600 requests, three days' quota of Naver's former service. */
  keywordsMax: 5_000,
  /** Keywords chosen from the catalog if no list is given: about 130 requests. */
  defaultKeywordsMax: 200,
  /** Words that are counted as one keyword: the service's limit. */
  synonymsMax: 20,
  /** Size of a file with keywords. */
  keywordBytesMax: 1_024 * 1_024,
  /** Keywords of one request: the service takes five groups, and one of them is the anchor. */
  batchSize: 4,
  /** Measurements of one keyword while a fitting anchor is sought. */
  triesMax: 4,
  anchorsMax: 20,
  /** Ratio of an anchor's index to the next smaller one's; a larger ratio is reported as a gap of the ladder. */
  ladderStepMax: 20,
  /** Whole months over which the searches for a keyword are summed. */
  months: 12,
  /** Parts of these months; each pair of neighbouring anchors is measured in every part. */
  ladderWindows: 3,
  /** The service documents no limit for bursts; 1,000 requests take eight minutes. */
  callsPerSecond: 2,
  /** Requests a day of the former service; the current one reports a spent quota itself, with 429. */
  legacyCallsPerDay: 1_000,
  /** Age up to which a run is resumed: a long list takes several daily quotas. */
  resumableMs: 7 * 86_400_000,
} as const;
