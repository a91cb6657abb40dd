import type { Language } from '../../contract/language.ts';
import type { Document } from '../../kernel/http/result.ts';
import { html } from '../html.ts';
import { barChart } from '../charts/bar-chart.ts';
import { choropleth } from '../charts/choropleth.ts';
import { columnChart } from '../charts/column-chart.ts';
import { sparkline } from '../charts/sparkline.ts';
import { timeChart } from '../charts/time-chart.ts';
import { page, searchForm } from '../layout.ts';
import { sampleBadge } from './badge.ts';
import { barList } from './bars.ts';
import { filterChips, linkChips } from './chips.ts';
import { builtInBoundaries } from '../../data/regions/boundaries.ts';
import { regionByCode } from '../../data/regions/region-table.ts';
import { cartogram } from './cartogram.ts';
import { codeTabs } from './code-tabs.ts';
import { dataTable } from './data-table.ts';
import { datasetList } from './dataset-list.ts';
import { factList } from './facts.ts';
import { fileList } from './files.ts';
import { notice } from './notice.ts';
import { pager } from './pager.ts';
import { panel } from './panel.ts';
import { trail } from './trail.ts';

/** Every component of the pages on one page, for those who build pages. */
export function showcase(language: Language): Document {
  const words = texts[language];
  return page({
    language,
    title: words.title,
    translationUrl: `/docs/design?lang=${language === 'ko' ? 'en' : 'ko'}`,
    isUnlisted: true,
    width: 'wide',
    head: html`<script type="module" src="/assets/copy.js"></script>
      <link rel="stylesheet" href="/assets/charts.css" />
      <link rel="stylesheet" href="/assets/map.css" />`,
    main: html`
      ${trail(words.trail, [link(words.home)], words.title)}
      <h1>${words.title} ${sampleBadge('sample', language)}</h1>
      ${searchForm('/search', 'search', language, '', words)}
      ${factList([
        {
          term: words.fact,
          sentence: words.known,
          evidence: html`${words.evidence}`,
          tone: 'known',
        },
        {
          term: words.fact,
          sentence: words.unknown,
          evidence: html`${words.evidence}`,
          tone: 'unknown',
        },
        {
          term: words.fact,
          sentence: words.warning,
          evidence: html`${words.evidence}`,
          tone: 'warning',
        },
      ])}
      ${notice('note', html`<p>${words.known}</p>`)}
      ${notice('warning', html`<p>${words.warning}</p>`)}
      ${filterChips(words.filters, [{ text: '요금정보 = 무료', removeHref: '#main' }], words)}
      ${linkChips([link('주차장'), link('도서관')])}
      ${dataTable({
        caption: words.table,
        columns: [
          { heading: html`<a class="sort" href="#main">${words.name} ▲</a>`, sort: 'ascending' },
          { heading: html`${words.count}`, isNumeric: true },
        ],
        rows: [
          [html`<a href="#main">강남역</a>`, html`15,293`],
          [html`<a href="#main">도서관</a>`, html`4,001`],
        ],
      })}
      ${pager({
        label: words.table,
        place: '51–100 / 14,651',
        first: link('«'),
        previous: link('‹'),
        next: link('›'),
        last: link('»'),
      })}
      ${barList([
        { label: html`무료`, count: 9_312 },
        { label: html`유료`, count: 4_100 },
        { label: html`혼합`, count: 12 },
      ])}
      ${datasetList(
        [
          { title: '전국주차장정보표준데이터', href: '#main', origin: 'file', facts: ['14,651'] },
          {
            title: '공휴일 정보',
            href: '#main',
            origin: 'sample',
            facts: ['192'],
            links: [link('CSV')],
          },
        ],
        language,
      )}
      ${fileList(
        [
          {
            format: 'XLSX',
            use: words.known,
            href: '#main',
            bytes: { count: 3_300_000, isExact: false },
          },
          {
            format: 'Parquet',
            use: words.known,
            href: '#main',
            bytes: { count: 627_000, isExact: true },
          },
          { format: 'GeoJSON', use: words.unknown, href: null, bytes: null },
        ],
        language,
      )}
      ${codeTabs(
        words.code,
        [
          { id: 'curl', name: 'curl', code: 'curl -L /api/axes' },
          { id: 'python', name: 'Python', code: 'import pandas as pd' },
        ],
        language,
      )}
      ${cartogram(
        words.table,
        ['11', '41', '26', '50'].map((code) => ({
          region: regionByCode(code)!,
          href: '#main',
          text: '12',
        })),
      )}
      <div class="choropleth">
        ${choropleth(
          {
            boundaries: builtInBoundaries(),
            unit: null,
            areas: ['11680', '11650', '11710', '11740', '11215'].map((code, at) => ({
              code,
              label: regionByCode(code)!.name,
              value: 12 * (at + 1),
              href: '#main',
            })),
          },
          language,
        )}
      </div>
      ${
        barChart(
          words.table,
          [
            { label: '무료', value: 461_707, isRest: false, href: '#main' },
            { label: '유료', value: 379_504, isRest: false, href: '#main' },
            { label: words.others, value: 68_789, isRest: true, href: null },
          ],
          language,
        ).svg
      }
      ${
        timeChart(
          {
            name: words.table,
            points: [12, 30, 24, 41, 38].map((value, at) => ({ period: `2024-0${at + 1}`, value })),
            isAdditive: true,
          },
          language,
        ).svg
      }
      ${
        columnChart(
          {
            name: words.table,
            columns: [12, 30, 24, 41, 9].map((value, at) => ({
              label: `06-0${at + 1}`,
              value,
              part: Math.round(value / 4),
            })),
            partName: words.others,
            isLastPartial: true,
          },
          language,
        ).svg
      }
      ${sparkline([3, 5, 4, 8, 2], { isLastPartial: true })}
      ${panel(words.panel, html`<p>${words.known}</p>`)}
      <p role="status" class="spoken"></p>
    `,
  });
}

function link(text: string): { readonly text: string; readonly href: string } {
  return { text, href: '#main' };
}

const texts = {
  ko: {
    title: '화면 구성 요소',
    trail: '현재 위치',
    home: '마루',
    searchLabel: '검색',
    searchPlaceholder: '데이터 검색',
    search: '검색',
    fact: '무엇인가요',
    known: '알려진 사실을 말하는 문장입니다.',
    unknown: '모름. 자료에 적혀 있지 않습니다.',
    warning: '쓰기 전에 알아야 할 것입니다.',
    evidence: '근거: 원본 페이지',
    filters: '적용된 조건',
    remove: (text: string) => `조건 빼기: ${text}`,
    table: '표',
    name: '이름',
    count: '건수',
    code: '언어',
    others: '그 외',
    panel: '펼치는 부분',
  },
  en: {
    title: 'Components of the pages',
    trail: 'Breadcrumb',
    home: 'Maru',
    searchLabel: 'Search',
    searchPlaceholder: 'Search the data',
    search: 'Search',
    fact: 'What it is',
    known: 'A sentence about a known fact.',
    unknown: 'Unknown. The source does not give it.',
    warning: 'Something to know before using the data.',
    evidence: 'Evidence: the source page',
    filters: 'Filters in use',
    remove: (text: string) => `Remove the filter ${text}`,
    table: 'Table',
    name: 'Name',
    count: 'Records',
    code: 'Language',
    others: 'Others',
    panel: 'A part to open',
  },
} as const;
