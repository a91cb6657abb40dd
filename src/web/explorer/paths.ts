/** Address of the page of a record. */
export function recordPath(axis: string, id: string, lang?: string): string {
  const path = `/data/${encodeURIComponent(axis)}/${encodeURIComponent(id)}`;
  return lang === undefined ? path : `${path}?lang=${lang}`;
}

/** Address of the page of a dataset without filters. */
export function datasetPath(axis: string, lang?: string): string {
  const path = `/data/${encodeURIComponent(axis)}`;
  return lang === undefined ? path : `${path}?lang=${lang}`;
}

/** Address of the page of a region. */
export function regionPath(code: string, lang?: string): string {
  const path = `/region/${encodeURIComponent(code)}`;
  return lang === undefined ? path : `${path}?lang=${lang}`;
}
