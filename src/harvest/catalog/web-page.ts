import type { CatalogType } from '../../data/axis.ts';
import { unescapeHtml } from '../../ingest/files/html-escapes.ts';
import type { CatalogColumn } from '../../ingest/catalog/entry.ts';

/** One page of the portal's web list. */
interface WebPage {
  readonly items: readonly WebItem[];
  readonly total: number;
  /** Values that the page states; null if it states none. The site replaces invalid parameters silently. */
  readonly page: number | null;
  readonly size: number | null;
}

/** Facts of a dataset in the list, by the columns of the list file. */
export type WebItem = Readonly<Partial<Record<CatalogColumn, string>>>;

/**
 * Reads a page of `selectDataSetList.do`; null for another page, or one that is cut off. An item is found by its link,
 * since the markup around items has changed (`#fileDataList li`, `.result-list li`, `.apply-result-item`), and
 * its facts by their labels, since the markup of keywords is broken for LINKED.
 */
export function readWebPage(html: string, type: CatalogType): WebPage | null {
  if (html.length > pageUnitsMax) return null;
  const total = /총\s*([\d,]{1,15})\s*건/.exec(html.replaceAll(/<[^>]{0,200}>/g, ''))?.[1];
  if (total === undefined || !/<\/html>\s*$/i.test(html)) return null;
  const links = [...html.matchAll(linkPattern)].filter(([, , page]) => page === linkPages[type]);
  const starts = links.map(({ index }) => startOf(html, index));
  const items = links.map((link, at) => {
    const block = html.slice(starts[at], starts[at + 1] ?? html.length);
    return itemOf(block, type, link[1] ?? '', link[3] ?? '');
  });
  return {
    items,
    total: Number(total.replaceAll(',', '')),
    page: hiddenNumber(html, 'currentPage'),
    size: hiddenNumber(html, 'perPage'),
  };
}

/** UTF-16 units of a page; 100 items take some 300,000. */
const pageUnitsMax = 2_000_000;

/** The numbers in this and the other patterns keep their time linear for any page. */
const linkPattern =
  /<a\b[^>]{0,500}\bhref="(?:https?:\/\/www\.data\.go\.kr)?\/data\/(\d{1,12})\/(\w{1,20})\.do[^"]{0,200}"[^>]{0,500}>([^]{0,5000}?)<\/a>/g;

const linkPages: Readonly<Record<CatalogType, string>> = {
  API: 'openapi',
  FILE: 'fileData',
  STD: 'standard',
  LINKED: 'linkedData',
};

/** Start of the item that contains a link, before the item's badges. */
function startOf(html: string, link: number): number {
  const before = html.slice(Math.max(0, link - itemHeadMax), link);
  const at = Math.max(before.lastIndexOf('apply-result-item'), before.lastIndexOf('<li'));
  return at < 0 ? link : link - before.length + at;
}

const itemHeadMax = 5_000;

function itemOf(block: string, type: CatalogType, number: string, link: string): WebItem {
  const titleHtml =
    /class="[^"]{0,200}\btitle\b[^"]{0,200}"[^>]{0,500}>([^]*?)<\//.exec(link)?.[1] ?? link;
  const descriptionHtml =
    /class="[^"]{0,200}\bdesc\b[^"]{0,200}"[^>]{0,500}>([^]{0,10000}?)<\/(?:dd|div|p)>/.exec(
      block,
    )?.[1];
  const badges = block.matchAll(
    /class="[^"]{0,200}\btagset\b[^"]{0,200}"[^>]{0,500}>([^<]{1,40})</g,
  );
  const item: Partial<Record<CatalogColumn, string>> = {
    number,
    type,
    title: plainText(titleHtml),
    formats: Array.from(badges, ([, badge]) => plainText(badge ?? '')).join(','),
  };
  if (descriptionHtml !== undefined) item.description = plainText(descriptionHtml);
  const texts = block
    .slice(block.indexOf(link) + link.length)
    .split(/<[^<>]{0,500}>/)
    .map((text) => unescapeHtml(text).replace(/\s+/g, ' ').trim())
    .filter((text) => text !== '' && text !== ':');
  for (const [at, text] of texts.entries()) {
    const labelled = labels.find(([label]) => text === label || text.startsWith(`${label} `));
    if (labelled === undefined) continue;
    const [label, column] = labelled;
    const next = texts[at + 1] ?? '';
    const rest = text.slice(label.length).replace(/^[\s:]+/, '');
    const value = rest === '' && !labels.some(([other]) => next.startsWith(other)) ? next : rest;
    item[column] ??= value;
  }
  return item;
}

const labels: readonly (readonly [label: string, column: CatalogColumn])[] = [
  ['제공기관', 'provider'],
  ['수정일', 'modified'],
  ['조회수', 'views'],
  ['다운로드', 'requests'],
  ['활용신청', 'requests'],
  ['키워드', 'keywords'],
  ['주기성 데이터', 'updateCycle'],
];

function plainText(html: string): string {
  return unescapeHtml(html.replaceAll(/<[^<>]{0,500}>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();
}

function hiddenNumber(html: string, name: string): number | null {
  const tag =
    new RegExp(`<input\\b[^>]{0,500}\\b(?:id|name)="${name}"[^>]{0,500}>`).exec(html)?.[0] ?? '';
  const value = /\bvalue="(\d{1,9})"/.exec(tag)?.[1];
  return value === undefined ? null : Number(value);
}
