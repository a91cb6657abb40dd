/**
 * Nested loops, the outer first, that make the requests for all records of an operation. Without a loop one
 * request and its pages are enough.
 */
export type Enumeration = readonly Loop[];

export type Loop =
  | ValuesLoop
  | RegionsLoop
  | YearsLoop
  | NewestYearLoop
  | YearSpanLoop
  | DaysLoop
  | SpansLoop
  | HoursLoop
  | RecordsLoop
  | ListLoop
  | WalkLoop;

/** Known values, such as the codes of the weather offices. */
export interface ValuesLoop {
  readonly kind: 'values';
  readonly parameters: readonly string[];
  /** Separated by blanks, the values of several parameters by commas; `-` leaves the parameter out. */
  readonly values: string;
  /** Field of the record → parameter whose value goes into it, where the answer does not repeat it. */
  readonly stamp?: FieldOfParameter;
}

/**
 * Current regions and those of two years ago: services adopt new codes up to years apart, and a record under
 * both is one by its key.
 */
export interface RegionsLoop {
  readonly kind: 'regions';
  readonly parameter: string;
  readonly form: RegionForm;
  /** Parameter of an outer loop with the day (`YYYYMMDD`) of the regions. */
  readonly on?: string;
}

export const regionForms = ['sido-code', 'sigungu-code', 'sido-name', 'sido-short'] as const;
export type RegionForm = (typeof regionForms)[number];

/** Each year from `first` to `ahead` years from now. */
interface YearsLoop {
  readonly kind: 'years';
  readonly parameter: string;
  readonly first: number;
  readonly ahead: number;
}

/** This year and down to `back` years before it, until one has records. */
export interface NewestYearLoop {
  readonly kind: 'newest-year';
  readonly parameter: string;
  readonly back: number;
}

/** One window of whole years around this one, as two parameters `YYYYMMDD`. */
interface YearSpanLoop {
  readonly kind: 'year-span';
  readonly from: string;
  readonly to: string;
  readonly back: number;
  readonly ahead: number;
}

/** One window of days around today, as two parameters `YYYYMMDD`. */
interface DaysLoop {
  readonly kind: 'days';
  readonly from: string;
  readonly to: string;
  readonly back: number;
  readonly ahead: number;
}

/** Windows of `days` days from `first` to `until` days ago; from the last collected day where known. */
export interface SpansLoop {
  readonly kind: 'spans';
  readonly from: string;
  readonly to: string;
  /** ISO date. */
  readonly first: string;
  readonly days: number;
  readonly until: number;
  /** Hour, in Korean time, at which the last day is published. */
  readonly hour: number;
}

/** The newest full hour, or each hour since the last collection that the upstream still has. */
export interface HoursLoop {
  readonly kind: 'hours';
  readonly date: string;
  readonly time: string;
  /** From the full hour to the publication of its values. */
  readonly delayMinutes: number;
  readonly hours: number;
}

/** Distinct values of the records of another axis. */
export interface RecordsLoop {
  readonly kind: 'records';
  readonly axis: string;
  /** Parameter → field of the other axis. */
  readonly take: FieldOfParameter;
  /** Field → the values to use, separated by blanks. */
  readonly only?: Readonly<Record<string, string>>;
  /** Field → the lowest value to use, compared as text. */
  readonly from?: Readonly<Record<string, string>>;
  /** Field of the record → field of the other axis. */
  readonly stamp?: FieldOfParameter;
  readonly most: number;
  readonly expect: number;
}

/** Values that another operation lists; its rows are no records. */
export interface ListLoop {
  readonly kind: 'list';
  /** Host and path of the operation. */
  readonly path: string;
  /** Number of the dataset to apply for, where it is another one. */
  readonly portalId?: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Records that the list is requested for, one by one. */
  readonly each?: ListRecords;
  /** Records whose values are used in addition. */
  readonly also?: ListRecords;
  /** Parameter → field of the list. */
  readonly take: FieldOfParameter;
  /** Field of the record → field of the list. */
  readonly stamp?: FieldOfParameter;
  readonly most: number;
  readonly expect: number;
}

/** Distinct values of records of another axis, for a list or beside it. */
type ListRecords = Pick<RecordsLoop, 'axis' | 'take' | 'only' | 'expect'>;

/** A tree, level by level: each `field` of an answer becomes the next parameter. */
export interface WalkLoop {
  readonly kind: 'walk';
  readonly parameters: readonly string[];
  readonly field: string;
  readonly most: number;
  readonly expect: number;
}

export type FieldOfParameter = Readonly<Record<string, string>>;

/** Other axes whose records a loop takes values from. */
export function recordSourcesOf(loop: Loop): Pick<RecordsLoop, 'axis' | 'take'>[] {
  if (loop.kind === 'records') return [loop];
  return loop.kind === 'list' ? [loop.each, loop.also].filter((each) => each !== undefined) : [];
}
