import type { Axis, Field, ListedFacts, Quality, RegionCount, StoredAxis } from '../axis.ts';
import type { AxisSummary } from './pack-file.ts';

/** The description of a packed axis: a summary in memory, and the rest read when it is used. */
export class PackedDescription implements StoredAxis {
  readonly axis: Axis;
  readonly rows: number;
  readonly schemaFingerprint: string;
  readonly hasCoordinates: boolean;
  readonly listed?: ListedFacts | undefined;
  /** Labels of the fields. */
  readonly labels: readonly string[];
  readonly #summary: AxisSummary;
  readonly #sources: DescriptionSources;

  constructor(
    summary: AxisSummary,
    sources: DescriptionSources,
    { axis, listed }: Pick<StoredAxis, 'axis' | 'listed'> = summary,
  ) {
    this.axis = axis;
    this.listed = listed;
    this.rows = summary.rows;
    this.schemaFingerprint = summary.schemaFingerprint;
    this.hasCoordinates = summary.hasCoordinates;
    this.labels = summary.labels;
    this.#summary = summary;
    this.#sources = sources;
  }

  get fields(): readonly Field[] {
    return this.#sources.whole().fields;
  }

  get regions(): readonly RegionCount[] {
    return this.#sources.regions();
  }

  get quality(): Quality | undefined {
    return this.#sources.whole().quality;
  }

  /** The description with facts of the catalog. */
  with(facts: Pick<StoredAxis, 'axis' | 'listed'>): PackedDescription {
    return new PackedDescription(this.#summary, this.#sources, facts);
  }
}

interface DescriptionSources {
  /** The whole description. */
  readonly whole: () => StoredAxis;
  readonly regions: () => readonly RegionCount[];
}
