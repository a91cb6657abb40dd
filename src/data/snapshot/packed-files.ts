import { axisFileNames, fileNames, type FileFacts } from './layout.ts';

/** Size and hash of a file of a packed axis, and its place in the pack; the search index has no place of its own. */
export type PackedFacts = FileFacts & { readonly at?: number };

/** Files of a packed axis: its Parquet file stays out of the pack. */
const names: readonly string[] = axisFileNames.filter((name) => name !== fileNames.parquet);

/**
 * Facts of the files of all axes of a pack as numbers and bytes. As objects and texts, those of 100,000 axes would take
 * 90 MB that the collector of garbage marks each time.
 */
export class PackedFiles {
  /** Place and size of each file: −1 for none. */
  readonly #places: Float64Array;
  readonly #hashes: Buffer;

  /** Takes the files of each axis by name. */
  constructor(axes: readonly Readonly<Record<string, PackedFacts>>[]) {
    this.#places = new Float64Array(axes.length * names.length * 2).fill(-1);
    this.#hashes = Buffer.alloc(axes.length * names.length * hashBytes);
    for (const [axis, files] of axes.entries()) {
      for (const [position, name] of names.entries()) {
        const facts = files[name];
        if (facts === undefined) continue;
        const file = axis * names.length + position;
        this.#places[file * 2] = facts.at ?? -1;
        this.#places[file * 2 + 1] = facts.bytes;
        this.#hashes.write(facts.sha256, file * hashBytes, 'hex');
      }
    }
  }

  /** Facts of a file of the axis at a position; undefined if the pack has none of this name. */
  facts(axis: number, name: string): PackedFacts | undefined {
    const position = names.indexOf(name);
    const file = axis * names.length + position;
    const [at, bytes] = this.#places.subarray(file * 2, file * 2 + 2);
    if (position < 0 || bytes! < 0) return undefined;
    const sha256 = this.#hashes.toString('hex', file * hashBytes, (file + 1) * hashBytes);
    return { ...(at! < 0 ? {} : { at }), bytes: bytes!, sha256 };
  }
}

const hashBytes = 32;
