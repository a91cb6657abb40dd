import type { CatalogType, FieldRole, FieldType, LabelSource } from '../../data/axis.ts';
import type { Enumeration } from './enumeration.ts';

/** Definition of an operation of the portal: its requests and the meaning of its records. */
export interface AxisDefinition {
  /** One of the 69 readable codes. */
  readonly code: string;
  /** Operations of one kind: they share switches, codes and quirks. */
  readonly family: string;
  /** Host and path without the operation: its operations share an application and an outage. */
  readonly service: string;
  readonly title: string;
  readonly titleEn: string;
  readonly type: CatalogType;
  /** The dataset's number on the portal. */
  readonly portalId: string;
  readonly provider: AxisProvider;
  /** Host and path, without a scheme: `apis.data.go.kr/1360000/…`. */
  readonly path: string;
  /** False where the code could mean another operation. */
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
  /** Codes that mean no records, not a fault. */
  readonly emptyCodes: readonly string[];
  /** Words that stand for a missing value, beside `""`. */
  readonly missing: readonly string[];
  /** Text is HTML-escaped once more than its format needs. */
  readonly escaped: boolean;
  readonly fields: readonly AxisField[];
  readonly region: AxisRegion;
  /** Fields that together identify a record. */
  readonly keyFields: readonly string[];
  /** `accumulate` keeps records that the upstream deletes, `mirror` has the records of the upstream. */
  readonly keeps: 'accumulate' | 'mirror';
  /** ISO 8601 duration between collections. */
  readonly schedule: string;
  /** Calls a day of a development account, for this operation alone. */
  readonly dailyQuota: number;
  /** An estimate for the plan. */
  readonly expectedRows: number;
  readonly enumeration: Enumeration;
  /** Used where the service refuses the shorter enumeration; null where there is no other. */
  readonly fallback: Enumeration | null;
  /** Doubts about the definition. */
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
  /** Upstream’s limit; null where none is known. */
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
  /** Absent from some answers: legacy, guessed, or of other requests only. */
  readonly optional: boolean;
}

/** Fields with the place of a record; empty for national data and code tables. */
interface AxisRegion {
  readonly sido?: string;
  readonly sigungu?: string;
  readonly dong?: string;
  /** Legal or administrative codes; a sido's two digits may stand before a sigungu's three. */
  readonly codes?: readonly string[];
  readonly addresses?: readonly string[];
  readonly lat?: string;
  readonly lon?: string;
  /** Another axis whose records are in the same place: the two have the field in common. */
  readonly join?: { readonly axis: string; readonly field: string };
}
