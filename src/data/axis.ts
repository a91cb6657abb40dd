/** What an axis is: one dataset's records, its fields and where they came from. */
export interface Axis {
  /** One of the readable codes of the contract, or `file_<digits>`. */
  readonly code: string;
  readonly title: string;
  readonly titleEn: string | null;
  readonly type: CatalogType;
  /** The dataset's number on the portal; null where it is not known. */
  readonly portalId: string | null;
  readonly provider: Provider | null;
  /** Names of the fields that identify a record; empty where none is known. */
  readonly keyFields: readonly string[];
  readonly origin: Origin;
  /** ISO 8601 date or date-time: when the source last changed its data; null where it does not say. */
  readonly sourceModified: string | null;
  /** ISO 8601 date-time: when we took it. */
  readonly collectedAt: string;
  /** ISO 8601 duration such as `P1M`; null where the source gives none. */
  readonly updateCycle: string | null;
  readonly license: License | null;
  /** Where a person can see the source; null where it has no page. */
  readonly sourceUrl: string | null;
}

export const catalogTypes = ['API', 'FILE', 'LINKED', 'STD'] as const;
export type CatalogType = (typeof catalogTypes)[number];

/** `sample` marks what the built-in sample portal made: nobody may mistake it for the real thing. */
export type Origin = 'portal' | 'file' | 'sample';

export interface Provider {
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
  /** What collecting it, or reading its files, found odd. */
  readonly quality?: Quality;
}

export interface Quality {
  readonly findings: readonly QualityFinding[];
}

/** Something odd about an axis that has been there since a day. */
export interface QualityFinding {
  /** Stable English, such as `rows_lost`. */
  readonly kind: string;
  readonly count: number;
  /** ISO 8601 date-time of the collection that found it first. */
  readonly since: string;
}

/** How many records of an axis lie in one region, and by what that is known. */
export interface RegionCount {
  /** Region code of the table in `regions`: two digits for a sido, five for a sigungu. */
  readonly code: string;
  readonly rows: number;
  readonly basis: readonly RegionBasis[];
  /** Of a former region: records counted elsewhere that may lie in it, as nothing they say can tell. */
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
  /** What the values look like; the values themselves stay as the source wrote them. */
  readonly type: FieldType;
  readonly unit: string | null;
  readonly role: FieldRole | null;
  /** Whether full-text search reads the field. */
  readonly searchable: boolean;
  readonly stats: FieldStats;
}

export type LabelSource = 'portal' | 'standard' | 'dictionary' | 'header' | 'inferred';
export type FieldType = 'string' | 'integer' | 'number' | 'boolean' | 'date' | 'datetime';
export type FieldRole =
  'id' | 'name' | 'address' | 'sido' | 'sigungu' | 'lat' | 'lon' | 'date' | 'phone' | 'code';

export interface FieldStats {
  readonly nonNull: number;
  /** Exact up to `distinctMax` values counted; null past that. */
  readonly distinct: number | null;
  /** In UTF-16 units of the value as text; null where every value is missing. */
  readonly minLength: number | null;
  readonly maxLength: number | null;
  /** Numeric minimum for numbers, first and last for dates, null for other types. */
  readonly min: number | string | null;
  readonly max: number | string | null;
  readonly examples: readonly string[];
}

/** One value of a record: the source's own string or JSON number, or null for missing. Never `""`. */
export type Value = string | number | boolean | null;

/** A value as collected: text in the source's spelling, or nothing. */
export type Text = string | null;
/** A record: every field of the axis, in the source's order. */
export type Row = Readonly<Record<string, Value>>;
