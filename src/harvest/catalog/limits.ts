/** Bounds of collecting the catalog. */
export const catalogLimits = {
  /** Items of a page of the web list: the maximum of the site. */
  webPageSize: 40,
  /** The web list is made for users: 262,684 LINKED datasets (2026-09) take 55 minutes. */
  webPagesPerSecond: 2,
  /** Rows of a page of the meta API: the maximum of the API. */
  apiPageSize: 1_000,
  /** Requests of the meta API a day: the smaller of the two documented numbers. */
  apiDailyQuota: 1_000,
  /** Pages of one list: 400,000 datasets on the web, ten million by the API. */
  pagesMax: 10_000,
} as const;
