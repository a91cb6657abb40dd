/** Every bound of collecting the catalog. */
export const catalogLimits = {
  /** Items of a page of the web list: the most it honours. */
  webPageSize: 40,
  /** The web list is made for people: 262,684 LINKED datasets (2026-09) take 55 minutes. */
  webPagesPerSecond: 2,
  /** Rows of a page of the meta API: the most it honours. */
  apiPageSize: 1_000,
  /** Calls of the meta API a day: the smaller of the two numbers reported. */
  apiDailyQuota: 1_000,
  /** Of one list: 400,000 datasets on the web, ten million by the API. */
  pagesMax: 10_000,
} as const;
