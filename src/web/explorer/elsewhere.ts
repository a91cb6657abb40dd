import type { StoredAxis } from '../../data/axis.ts';
import { parseQuery } from '../../data/korean/terms.ts';
import { fullName, regionByCode } from '../../data/regions/region-table.ts';
import { canonicalUrl } from '../../kernel/http/canonical-url.ts';
import type { Values } from '../../kernel/http/parameters.ts';
import { pageContract } from '../../contract/pages.ts';
import { recordPosition } from '../../lookup/record-position.ts';
import { linkChips } from '../components/chips.ts';
import { datasetList } from '../components/dataset-list.ts';
import { html, type Html } from '../html.ts';
import { emptyHtml, formatNumber } from '../layout.ts';
import { titleIn } from './dataset-view.ts';
import type { RecordView } from './record-view.ts';

/** Links to records of the same name in other datasets, to records nearby, and to other records of the region. */
export async function elsewhereSection(view: RecordView): Promise<Html> {
  const { words } = view;
  const [named, near] = [await sameName(view), await nearby(view)];
  const region = regionLink(view);
  const isEmpty = named === null && near === null && region === null;
  return html`<section aria-labelledby="elsewhere">
    <h2 id="elsewhere">${words.elsewhere}</h2>
    ${isEmpty ? html`<p class="quiet">${words.nowhere}</p>` : emptyHtml} ${region} ${named} ${near}
  </section>`;
}

interface Found {
  readonly stored: StoredAxis;
  readonly count: number;
  readonly href: string;
}

async function sameName({ store, stored, name, words, language, isAbandoned }: RecordView) {
  const text = name === null ? '' : `"${name.replaceAll('"', ' ')}"`;
  const { terms, text: normalised } = parseQuery(text);
  if (name === null || terms.length === 0) return null;
  const query = { terms, text: normalised, match: 'record', offset: 0, limit: 0 } as const;
  const { axes } = await store.search(query, isAbandoned);
  const others = axes
    .first(namedMax + 1)
    .filter(({ axis }) => axis !== stored.axis.code)
    .slice(0, namedMax)
    .map(({ axis, count }) => ({
      stored: store.axes.get(axis)!,
      count,
      href: pathOf(axis, { q: text }),
    }));
  if (others.length === 0) return null;
  return html`<h3>${words.sameName(name)}</h3>
    ${found(others, words, language)}`;
}

const namedMax = 6;

/** Records of other datasets within 500 m of the record, by dataset. */
async function nearby({ store, stored, row, words, language, isAbandoned }: RecordView) {
  const position = recordPosition(stored.fields, row);
  if (position === null) return null;
  const near = { ...position, radius: radiusMetres };
  const candidates = [...store.axes.values()]
    .filter(({ axis, hasCoordinates, rows }) => {
      const isOther = axis.code !== stored.axis.code && axis.origin !== 'sample';
      return hasCoordinates && isOther && rows <= comparedRowsMax;
    })
    .sort((a, b) => b.rows - a.rows)
    .slice(0, comparedMax);
  const counted: Found[] = [];
  for (const other of candidates) {
    const { code } = other.axis;
    const { total: count } = await store.select(code, { near, offset: 0, limit: 0 }, isAbandoned);
    const place = { near: `${position.lat},${position.lon}`, radius: radiusMetres };
    if (count > 0) counted.push({ stored: other, count, href: pathOf(code, place) });
  }
  if (counted.length === 0) return null;
  return html`<h3>${words.around}</h3>
    ${found(counted, words, language)}`;
}

const radiusMetres = 500;
const comparedMax = 6;
const comparedRowsMax = 200_000;

function regionLink({ additions, stored, words }: RecordView): Html | null {
  const code = additions._sigungu ?? additions._sido;
  const region = code === null ? undefined : regionByCode(code);
  const sido = code === null ? undefined : regionByCode(code.slice(0, 2));
  if (region === undefined || sido === undefined) return null;
  const place = region === sido ? {} : { sigungu: region.name };
  const href = pathOf(stored.axis.code, { sido: sido.name, ...place });
  return linkChips([{ text: words.region(fullName(region)), href }]);
}

function found(
  list: readonly Found[],
  words: RecordView['words'],
  language: RecordView['language'],
): Html {
  return datasetList(
    list.map(({ stored, count, href }) => ({
      title: titleIn(stored, language),
      href,
      origin: stored.axis.origin,
      facts: [words.found(formatNumber(count))],
    })),
    language,
  );
}

function pathOf(axis: string, values: Values): string {
  return canonicalUrl(pageContract.dataset, { axis, ...values });
}
