import type { AxisSummary } from './packed-description.ts';

/** Texts of summaries, each in memory once: thousands of axes have the same provider, licence and labels. */
export class EqualTexts {
  readonly #texts = new Map<string, string>();
  /** Providers, licences and lists of key fields by their JSON. */
  readonly #values = new Map<string, unknown>();
  /** Labels by the fingerprint of their schema. */
  readonly #labels = new Map<string, readonly string[]>();

  /** A summary equal to the given one, of shared texts. */
  share(summary: AxisSummary): AxisSummary {
    const { axis } = summary;
    const schemaFingerprint = this.#text(summary.schemaFingerprint);
    return {
      ...summary,
      axis: {
        ...axis,
        type: this.#text(axis.type),
        provider: this.#value(axis.provider),
        keyFields: this.#value(axis.keyFields),
        origin: this.#text(axis.origin),
        collectedAt: this.#text(axis.collectedAt),
        updateCycle: axis.updateCycle && this.#text(axis.updateCycle),
        license: this.#value(axis.license),
      },
      schemaFingerprint,
      labels: this.#labelsOf(schemaFingerprint, summary.labels),
    };
  }

  #text<Text extends string>(text: Text): Text {
    const known = this.#texts.get(text);
    if (known !== undefined) return known as Text;
    this.#texts.set(text, text);
    return text;
  }

  #value<Value>(value: Value): Value {
    const json = JSON.stringify(value);
    if (!this.#values.has(json)) this.#values.set(json, value);
    return this.#values.get(json) as Value;
  }

  /** Labels of one schema are mostly equal; a source may still have changed its labels alone. */
  #labelsOf(schemaFingerprint: string, labels: readonly string[]): readonly string[] {
    const shared = labels.map((label) => this.#text(label));
    const known = this.#labels.get(schemaFingerprint);
    if (known?.length === shared.length && shared.every((label, at) => label === known[at]))
      return known;
    this.#labels.set(schemaFingerprint, shared);
    return shared;
  }
}
