/**
 * Merges the metrics of processes, by their numbers, into one text: each sample gets the label `process`, and the samples
 * of a metric follow each other, as the format wants (Prometheus, text format 0.0.4). Counters are not added up, since the
 * sum would fall when a process is replaced.
 */
export function processMetrics(texts: ReadonlyMap<number, string>): string {
  const metrics = new Map<string, Metric>();
  for (const [process, text] of texts) addSamples(metrics, process, text);
  let merged = '';
  for (const { head, samples } of metrics.values()) merged += head + samples;
  return merged;
}

interface Metric {
  /** Lines `# HELP` and `# TYPE`. */
  head: string;
  samples: string;
}

function addSamples(metrics: Map<string, Metric>, process: number, text: string): void {
  let metric: Metric | null = null;
  let isNew = false;
  for (const [line] of text.matchAll(/.+\n/g)) {
    // Each metric begins with its line of help.
    const name = /^# HELP (\w+)/.exec(line)?.[1];
    if (name !== undefined) {
      isNew = !metrics.has(name);
      metric = metrics.get(name) ?? { head: '', samples: '' };
      metrics.set(name, metric);
    }
    if (metric === null) continue;
    if (!line.startsWith('#')) metric.samples += withLabel(line, process);
    else if (isNew) metric.head += line;
  }
}

function withLabel(sample: string, process: number): string {
  return sample.replace(/^(\w+)(?:\{(.*)\})? /, (_, name: string, labels?: string) => {
    const others = labels === undefined ? '' : `,${labels}`;
    return `${name}{process="${process}"${others}} `;
  });
}
