/** A value with its first place. */
export interface LocatedValue extends Place {
  readonly text: string;
}

/** Source of a row: the file's name, and the row as in a `Finding`. */
export interface Place {
  readonly file: string;
  readonly row: number | null;
}
