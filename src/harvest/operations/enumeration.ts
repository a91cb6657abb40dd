/**
 * Nested loops, the outermost first, that generate the requests for all records of an operation. Without a loop,
 * one paged request has all records.
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

/** Fixed values, such as the codes of the weather offices. */
export interface ValuesLoop {
  readonly kind: 'values';
  readonly parameters: readonly string[];
  /** Tuples separated by blanks, each with a value for every parameter, separated by commas; `-` omits a parameter. */
  readonly values: string;
  /** Field of the record → parameter whose value fills it, since the answer leaves it out. */
  readonly stamp?: NameMap;
}

/**
 * Current regions and those of two years ago, since some services adopt new codes years late. A record that is
 * returned for both codes is stored once.
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

/** This year, then each of the `back` years before it, until a year has records. */
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

/** Windows of `days` days from `first`, or from the last collected day, to `until` days ago. */
export interface SpansLoop {
  readonly kind: 'spans';
  readonly from: string;
  readonly to: string;
  /** ISO date. */
  readonly first: string;
  readonly days: number;
  readonly until: number;
  /** Hour in Korea at which the last day is published. */
  readonly hour: number;
}

/** The newest full hour, or each missed hour since the last collection that the upstream still has. */
export interface HoursLoop {
  readonly kind: 'hours';
  readonly date: string;
  readonly time: string;
  /** Time from the full hour to the publication of its values. */
  readonly delayMinutes: number;
  readonly hours: number;
}

/** Distinct values of the records of another axis. */
export interface RecordsLoop {
  readonly kind: 'records';
  readonly axis: string;
  /** Parameter → field of the other axis. */
  readonly take: NameMap;
  /** Field → the values to use, separated by blanks. */
  readonly only?: Readonly<Record<string, string>>;
  /** Field → the lowest value to use, compared as text. */
  readonly from?: Readonly<Record<string, string>>;
  /** Field of the record → field of the other axis. */
  readonly stamp?: NameMap;
  /** Number of choices above which the collection fails. */
  readonly most: number;
  /** Estimated number of choices, for the plan. */
  readonly expect: number;
}

/** Values that another operation lists; the rows of that list are not stored as records. */
export interface ListLoop {
  readonly kind: 'list';
  /** Host and path of the operation. */
  readonly path: string;
  /** Number of the dataset to apply for, if it differs from the axis's. */
  readonly portalId?: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Records of another axis; the list is requested once for each. */
  readonly each?: ListRecords;
  /** Records of another axis whose values are used in addition to the list's. */
  readonly also?: ListRecords;
  /** Parameter → field of the list. */
  readonly take: NameMap;
  /** Field of the record → field of the list. */
  readonly stamp?: NameMap;
  /** Number of choices above which the collection fails. */
  readonly most: number;
  /** Estimated number of choices, for the plan. */
  readonly expect: number;
}

/** Records of another axis that a list loop uses. */
type ListRecords = Pick<RecordsLoop, 'axis' | 'take' | 'only' | 'expect'>;

/** A tree, requested level by level: each value of `field` in an answer becomes the next parameter. */
export interface WalkLoop {
  readonly kind: 'walk';
  readonly parameters: readonly string[];
  readonly field: string;
  /** Number of choices above which the collection fails. */
  readonly most: number;
  /** Estimated number of choices, for the plan. */
  readonly expect: number;
}

/** Names of fields or parameters, each with the name of another field or parameter. */
export type NameMap = Readonly<Record<string, string>>;

/** Other axes whose records give a loop its values. */
export function recordSourcesOf(loop: Loop): Pick<RecordsLoop, 'axis' | 'take'>[] {
  if (loop.kind === 'records') return [loop];
  return loop.kind === 'list' ? [loop.each, loop.also].filter((each) => each !== undefined) : [];
}
