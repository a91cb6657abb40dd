/** Description of an axis: its dataset, provider, licence and collection. */
export interface Axis {
  /** A readable code of the contract, or `file_<digits>`. */
  readonly code: string;
  readonly title: string;
  readonly titleEn: string | null;
  readonly type: CatalogType;
  /** The dataset's number on the portal; null if it is not known. */
  readonly portalId: string | null;
  readonly provider: Provider | null;
  /** Names of the fields that identify a record; empty if they are not known. */
  readonly keyFields: readonly string[];
  readonly origin: Origin;
  /** ISO 8601 date or date-time of the source's last change; null if the source does not publish it. */
  readonly sourceModified: string | null;
  /** ISO 8601 date-time of the collection or the load. */
  readonly collectedAt: string;
  /** ISO 8601 duration such as `P1M`; null if the source gives none. */
  readonly updateCycle: string | null;
  readonly license: License | null;
  /** URL of the source's web page; null if it has none. */
  readonly sourceUrl: string | null;
}

export const catalogTypes = ['API', 'FILE', 'LINKED', 'STD'] as const;
export type CatalogType = (typeof catalogTypes)[number];

/** `sample` marks data of the built-in sample portal, so that it is never mistaken for real data. */
export type Origin = 'portal' | 'file' | 'sample';

interface Provider {
  readonly name: string;
  readonly code: string | null;
}

export interface License {
  readonly id: string;
  readonly name: string;
  readonly url: string | null;
}

export interface StoredAxis {
  readonly axis: Axis;
  readonly rows: number;
  readonly fields: readonly Field[];
  /** SHA-256 of names and types, in order, in hex. */
  readonly schemaFingerprint: string;
  readonly regions: readonly RegionCount[];
  readonly hasCoordinates: boolean;
  /** Findings of the last collection, or of reading its files. */
  readonly quality?: Quality | undefined;
  /** Facts from the entry of the axis in the catalog; absent without an entry, and if stored without them. */
  readonly listed?: ListedFacts | undefined;
}

/** Facts about an axis from its entry in the catalog. */
export interface ListedFacts {
  /** ISO 8601 date of the catalog; null if it is not known. */
  readonly date: string | null;
  /** ISO 8601 date of the entry's last change. */
  readonly modified: string | null;
  /** True if the provider of the axis comes from the entry. */
  readonly hasProvider: boolean;
  /** True if the licence of the axis comes from the entry. */
  readonly hasLicense: boolean;
  readonly description: string | null;
}

export interface Quality {
  readonly findings: readonly QualityFinding[];
}

/** Finding about an axis that has persisted since `since`. */
export interface QualityFinding {
  /** Stable English, such as `rows_lost`. */
  readonly kind: string;
  readonly count: number;
  /** ISO 8601 date-time of the collection that found it first. */
  readonly since: string;
}

/** Number of records of an axis in one region, and the evidence that puts them there. */
export interface RegionCount {
  /** Region code of the table in `regions`: two digits for a sido, five for a sigungu. */
  readonly code: string;
  readonly rows: number;
  readonly basis: readonly RegionBasis[];
  /** For a former region: number of records counted elsewhere that may belong to it. */
  readonly undecided?: number;
}
export const regionBases = ['field', 'code', 'address', 'coordinates'] as const;
export type RegionBasis = (typeof regionBases)[number];

export interface Field {
  /** The source's own name. */
  readonly name: string;
  /** Korean and never empty. */
  readonly label: string;
  readonly labelEn: string | null;
  readonly labelSource: LabelSource;
  /** Type of the values; the values themselves stay as the source wrote them. */
  readonly type: FieldType;
  readonly unit: string | null;
  /**
   * `accounting` if △, ▲ and brackets mean minus, `degrees` if values are degrees, minutes and seconds, `blanks` if blanks
   * group thousands, `commas` if a comma is before the decimals; absent if no value has them.
   */
  readonly signs?: 'accounting' | 'degrees' | 'blanks' | 'commas';
  readonly role: FieldRole | null;
  /** True if full-text search reads the field. */
  readonly searchable: boolean;
  readonly stats: FieldStats;
}

export type LabelSource = 'portal' | 'standard' | 'dictionary' | 'header' | 'inferred';
export type FieldType = 'string' | 'integer' | 'number' | 'boolean' | 'date' | 'datetime';
export type FieldRole =
  'id' | 'name' | 'address' | 'sido' | 'sigungu' | 'lat' | 'lon' | 'date' | 'phone' | 'code';

export interface FieldStats {
  readonly nonNull: number;
  /** Number of distinct values; null if there are more than `distinctMax`. */
  readonly distinct: number | null;
  /** In UTF-16 units of the value as text; null if every value is missing. */
  readonly minLength: number | null;
  readonly maxLength: number | null;
  /** Smallest and largest number, or first and last date; null for other types. */
  readonly min: number | string | null;
  readonly max: number | string | null;
  readonly examples: readonly string[];
}

/** A cell of a record: the source's own string or JSON value, or null if it is missing; never `""`. */
export type Value = string | number | boolean | null;

/** A collected value in the source's spelling; null if it is missing. */
export type Text = string | null;
/** A record: every field of the axis, in the source's order. */
export type Row = Readonly<Record<string, Value>>;
