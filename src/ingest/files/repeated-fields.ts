import type { Cell } from './table.ts';

/** A field of an outer record. `parent` is the path of that record, and `path` is relative to it. */
export interface ParentField {
  readonly parent: string;
  readonly path: string;
}

/** Values of the records around the current one, such as the name of a department above its staff. */
export class RepeatedFields {
  /** A cell for each field. */
  readonly cells: Cell[];
  readonly #fields: readonly ParentField[];
  readonly #columnByPath: ReadonlyMap<string, number>;
  readonly #parents: ReadonlySet<string>;

  constructor(fields: readonly ParentField[]) {
    this.#fields = fields;
    this.cells = fields.map(() => null);
    this.#columnByPath = new Map(
      fields.map(({ parent, path }, index) => [`${parent}/${path}`, index]),
    );
    this.#parents = new Set(fields.map(({ parent }) => parent));
  }

  /** Forgets the values of the earlier record at the path of an element that opens. */
  open(path: string): void {
    if (!this.#parents.has(path)) return;
    for (const [index, { parent }] of this.#fields.entries()) {
      if (parent === path) this.cells[index] = null;
    }
  }

  /** Keeps the first value at a path. */
  set(path: string, value: string): void {
    const index = this.#columnByPath.get(path);
    if (index !== undefined) this.cells[index] ??= value || null;
  }
}
