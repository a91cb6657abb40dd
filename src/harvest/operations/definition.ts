import type { CatalogType, FieldRole, FieldType, LabelSource } from '../../data/axis.ts';
import type { Enumeration } from './enumeration.ts';

/** Definition of an operation of the portal: its requests and the meaning of its records. */
export interface AxisDefinition {
  /** One of the 69 readable codes. */
  readonly code: string;
  /** Group of operations that share parameters, result codes and quirks. */
  readonly family: string;
  /** Host and path without the operation. Operations of one service share an application and fail together. */
  readonly service: string;
  readonly title: string;
  readonly titleEn: string;
  readonly type: CatalogType;
  /** The dataset's number on the portal. */
  readonly portalId: string;
  readonly provider: AxisProvider;
  /** Host and path, without a scheme: `apis.data.go.kr/1360000/…`. */
  readonly path: string;
  /** False if the code may stand for another operation. */
  readonly certain: boolean;
  /** `serviceKey` or `ServiceKey`. */
  readonly keyParameter: string;
  /** Sent with every request. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Null for an operation with XML only. */
  readonly json: { readonly parameter: string; readonly value: string } | null;
  readonly paging: Paging;
  /** Paths of the rows, from the root; the JSON path is null for an operation with XML only. */
  readonly rows: { readonly json: string | null; readonly xml: string };
  readonly successCodes: readonly string[];
  /** Result codes that mean no records instead of a fault. */
  readonly emptyCodes: readonly string[];
  /** Texts that mean a missing value, in addition to `""`. */
  readonly missing: readonly string[];
  readonly fields: readonly AxisField[];
  readonly region: AxisRegion;
  /** Fields that together identify a record. */
  readonly keyFields: readonly string[];
  /** `accumulate` keeps records that the upstream deletes; `mirror` has only the upstream's current records. */
  readonly keeps: 'accumulate' | 'mirror';
  /** ISO 8601 duration between collections. */
  readonly schedule: string;
  /** Calls a day of a development account, for this operation alone. */
  readonly dailyQuota: number;
  /** Numbers that no public source confirmed. */
  readonly assumed: readonly ('dailyQuota' | 'pageSizeMax')[];
  /** Estimated number of records, for the plan. */
  readonly expectedRows: number;
  readonly enumeration: Enumeration;
  /** Used if the service refuses `enumeration`; null if there is no other. */
  readonly fallback: Enumeration | null;
  /** Uncertain points of the definition. */
  readonly notes: readonly string[];
}

interface AxisProvider {
  readonly name: string;
  readonly nameEn: string | null;
  readonly code: string | null;
}

interface Paging {
  /** Name of the parameter of the page, which counts from 1. */
  readonly page: string;
  readonly size: string;
  /** Rows that we request. */
  readonly pageSize: number;
  /** Upstream’s limit; null if unknown. */
  readonly pageSizeMax: number | null;
  readonly totalPath: string;
}

export interface AxisField {
  readonly name: string;
  /** Korean and never empty. */
  readonly label: string;
  readonly labelEn: string | null;
  readonly labelSource: LabelSource;
  readonly type: FieldType;
  readonly unit: string | null;
  readonly role: FieldRole | null;
  /** Other names the field has or had in answers. */
  readonly aliases: readonly string[];
  /** True if answers may lack the field: it is a former one, a guess, or only in some answers. */
  readonly optional: boolean;
}

/** Fields with the region of a record; empty for national data and code tables. */
interface AxisRegion {
  readonly sido?: string;
  readonly sigungu?: string;
  readonly dong?: string;
  /** Legal or administrative codes; a field with two digits of the sido may precede one with three of the sigungu. */
  readonly codes?: readonly string[];
  readonly addresses?: readonly string[];
  readonly lat?: string;
  readonly lon?: string;
  /** Another axis that has the region: records with an equal `field` are in the same region. */
  readonly join?: { readonly axis: string; readonly field: string };
}
