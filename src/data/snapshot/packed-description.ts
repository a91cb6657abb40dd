import type { Axis, Field, ListedFacts, Quality, RegionCount, StoredAxis } from '../axis.ts';

/** The description of a packed axis: a summary in memory, and the rest read when it is used. */
export class PackedDescription implements StoredAxis {
  readonly axis: Axis;
  readonly listed?: ListedFacts | undefined;
  readonly #summary: AxisSummary;
  readonly #sources: DescriptionSources;

  constructor(
    summary: AxisSummary,
    sources: DescriptionSources,
    { axis, listed }: Pick<StoredAxis, 'axis' | 'listed'> = summary,
  ) {
    this.axis = axis;
    this.listed = listed;
    this.#summary = summary;
    this.#sources = sources;
  }

  get rows(): number {
    return this.#summary.rows;
  }

  get schemaFingerprint(): string {
    return this.#summary.schemaFingerprint;
  }

  get hasCoordinates(): boolean {
    return this.#summary.hasCoordinates;
  }

  /** Labels of the fields. */
  get labels(): readonly string[] {
    return this.#summary.labels;
  }

  get fields(): readonly Field[] {
    return this.#sources.whole(this.axis.code).fields;
  }

  get regions(): readonly RegionCount[] {
    return this.#sources.regions(this.axis.code);
  }

  get quality(): Quality | undefined {
    return this.#sources.whole(this.axis.code).quality;
  }

  /** The description with facts of the catalog. */
  with(facts: Pick<StoredAxis, 'axis' | 'listed'>): PackedDescription {
    return new PackedDescription(this.#summary, this.#sources, facts);
  }
}

/** Parts of the description of an axis that are read when its snapshot is opened. */
export interface AxisSummary extends Pick<
  StoredAxis,
  'axis' | 'rows' | 'schemaFingerprint' | 'hasCoordinates'
> {
  /** Labels of the fields. */
  readonly labels: readonly string[];
}

/** Readers of the rest of a description by the code of its axis. */
interface DescriptionSources {
  /** The whole description. */
  readonly whole: (code: string) => StoredAxis;
  readonly regions: (code: string) => readonly RegionCount[];
}
