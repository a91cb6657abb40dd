/** One dataset in the catalog. */
export interface CatalogEntry {
  readonly number: string;
  readonly type: 'FILE' | 'API' | 'STD' | 'LINKED';
  readonly title: string;
  readonly provider: string;
  readonly providerCode: string;
  readonly department: string;
  readonly description: string;
  readonly keywords: readonly string[];
  /** Main and sub category, such as `문화관광 - 문화예술`. */
  readonly category: string;
  readonly updateCycle: string;
  readonly formats: readonly string[];
  readonly licence: string;
  readonly registered: string;
  readonly modified: string;
  readonly views: number;
  /** Number of downloads of a file, or of applications to use an API. */
  readonly usage: number;
  readonly rows: number | null;
  readonly apiType: string;
}
