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
  for (const [line] of text.matchAll(/.+\n/g)) {
    const [, keyword, name] = /^# (HELP|TYPE) (\w+)/.exec(line) ?? [];
    if (name === undefined) {
      if (metric !== null) metric.samples += withLabel(line, process);
      continue;
    }
    const isNew = !metrics.has(name);
    if (keyword === 'HELP' && isNew) metrics.set(name, { head: line, samples: '' });
    metric = metrics.get(name) ?? null;
    if (keyword === 'TYPE' && metric?.samples === '' && !metric.head.includes('# TYPE')) {
      metric.head += line;
    }
  }
}

function withLabel(sample: string, process: number): string {
  return sample.replace(/^(\w+)(?:\{(.*)\})? /, (_, name: string, labels?: string) => {
    const others = labels === undefined ? '' : `,${labels}`;
    return `${name}{process="${process}"${others}} `;
  });
}
