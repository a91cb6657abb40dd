import { lookupContract } from '../../contract/lookup.ts';
import type { pageContract } from '../../contract/pages.ts';
import type { RouteParameters } from '../../contract/route.ts';
import { catalogTypes } from '../../data/axis.ts';
import { dayMs, koreanOffsetMs } from '../../data/korean-time.ts';
import { currentSigungu } from '../../data/regions/region-table.ts';
import { canonicalUrl } from '../../kernel/http/canonical-url.ts';
import type { Document } from '../../kernel/http/result.ts';
import { statsOf } from '../../lookup/endpoints/stats.ts';
import { dateOf, freshnessLevels, freshnessOf, todayInSeoul } from '../../data/freshness.ts';
import { barList } from '../components/bars.ts';
import { datasetList } from '../components/dataset-list.ts';
import { factList, type Fact } from '../components/facts.ts';
import { panel } from '../components/panel.ts';
import { trail } from '../components/trail.ts';
import { html, type Html } from '../html.ts';
import { emptyHtml, formatNumber, page } from '../layout.ts';
import type { PageRequest } from '../serve-page.ts';
import { newestDate } from './dataset-index.ts';
import { titleIn } from './dataset-view.ts';
import { findingName } from './finding-names.ts';
import { datasetPath } from './paths.ts';
import { searchTexts } from './search-texts.ts';
import { statusTexts } from './status-texts.ts';

type StatusParams = RouteParameters<typeof pageContract.status>;

interface StatusView extends PageRequest {
  readonly lang: StatusParams['lang'];
  readonly words: (typeof statusTexts)[PageRequest['language']];
  readonly stats: ReturnType<typeof statsOf>;
  readonly freshness: {
    readonly counts: Readonly<Record<(typeof freshnessLevels)[number], number>>;
    readonly samples: number;
    /** True if sample data is all there is. */
    readonly isOfSample: boolean;
  };
}

/** The page of the state: snapshot, datasets, freshness, the last collection and findings. */
export function statusPage({ lang }: StatusParams, request: PageRequest): Document {
  const { store, language, absoluteUrl, target } = request;
  const words = statusTexts[language];
  const today = todayInSeoul();
  const stats = statsOf(store, today);
  const freshness = freshnessIn(store, today);
  const view: StatusView = { ...request, lang, words, stats, freshness };
  return page({
    language,
    title: `${words.title} – ${words.name}`,
    translationUrl: target({ lang: language === 'ko' ? 'en' : 'ko' }),
    canonicalUrl: absoluteUrl('/status'),
    width: 'wide',
    search: '',
    main: html`
      ${trail(words.trail, [{ text: words.name, href: '/' }], words.title)}
      <h1>${words.title}</h1>
      ${factList([dataFact(view), snapshotFact(view), freshnessFact(view), runFact(view)])}
      <div class="halves">
        ${countSection('freshness', freshnessCounts(view), view)}
        ${countSection('origins', originCounts(view), view)}
      </div>
      <div class="halves">
        ${countSection('rowTypes', typeCounts(stats.rows.byType, view), view)}
        ${countSection('catalogTypes', typeCounts(stats.catalog.byType, view), view)}
      </div>
      ${ageSection(view)} ${overdueSection(view)} ${findingSection(view)}
      <p class="links"><a href="${canonicalUrl(lookupContract.stats, {})}">${words.json}</a></p>
    `,
  });
}

function dataFact({ words, stats, store }: StatusView): Fact {
  const { axes, rows, fields, regions } = stats;
  const counted = new Set([...store.axes.values()].flatMap((one) => one.regions.map(codeOf)));
  const sigungu = currentSigungu.filter(({ code }) => counted.has(code)).length;
  const { sample } = axes.byOrigin;
  return {
    term: words.data,
    sentence: words.dataSentence(formatNumber(axes.total), formatNumber(rows.total)),
    evidence: html`${words.dataEvidence(
      formatNumber(fields.total),
      formatNumber(regions.sido),
      formatNumber(sigungu),
      formatNumber(regions.sigungu - sigungu),
    )}
    ${sample === 0 ? emptyHtml : html`<strong>${words.sampleEvidence(formatNumber(sample))}</strong>`}`,
    tone: sample === axes.total ? 'warning' : 'known',
  };
}

function codeOf({ code }: { readonly code: string }): string {
  return code;
}

function snapshotFact({ words, stats }: StatusView): Fact {
  const { id, builtAt, previous } = stats.snapshot;
  return {
    term: words.snapshot,
    sentence: words.builtAt(koreanMinute(builtAt)),
    evidence: html`${words.snapshotId(id)} ${previous === null ? '' : words.previous(previous)}`,
    tone: 'known',
  };
}

/** Minute in Seoul: `2026-11-21 10:02`. */
function koreanMinute(moment: string): string {
  const inSeoul = new Date(Date.parse(moment) + koreanOffsetMs);
  return inSeoul.toISOString().slice(0, 16).replace('T', ' ');
}

/** Freshness of the real datasets, or of the sample ones while there are no others. */
function freshnessFact({ words, freshness }: StatusView): Fact {
  const { fresh, due, stale, unknown } = freshness.counts;
  const late = due + stale;
  const evidence = words.freshEvidence(formatNumber(fresh), formatNumber(unknown));
  const sample = freshness.isOfSample
    ? html`<strong>${words.allSample}</strong>`
    : freshness.samples > 0
      ? html`${words.withoutSample(formatNumber(freshness.samples))}`
      : emptyHtml;
  return {
    term: words.freshness,
    sentence: late === 0 ? words.allFresh : words.late(formatNumber(late)),
    evidence: html`${evidence} ${sample}`,
    tone: stale > 0 ? 'warning' : 'known',
  };
}

function runFact({ words, stats }: StatusView): Fact {
  const { lastRun, succeeded, failed, waitingForQuota } = stats.collectors;
  const [done, refused, waiting] = [succeeded, failed, waitingForQuota].map(formatNumber) as [
    string,
    string,
    string,
  ];
  return {
    term: words.run,
    sentence: lastRun === null ? words.noRun : words.lastRun(koreanMinute(lastRun)),
    evidence: html`${lastRun === null ? words.noRunEvidence : words.runEvidence(done, refused, waiting)}`,
    tone: lastRun === null ? 'unknown' : failed > 0 ? 'warning' : 'known',
  };
}

interface NamedCount {
  readonly label: string;
  readonly count: number;
}

function countSection(
  id: 'freshness' | 'origins' | 'rowTypes' | 'catalogTypes',
  counts: readonly NamedCount[],
  { words }: StatusView,
): Html {
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${words.headings[id]}</h2>
    ${barList(counts.map(({ label, count }) => ({ label: html`${label}`, count })))}
  </section>`;
}

function freshnessCounts({ freshness, words }: StatusView): NamedCount[] {
  return freshnessLevels.map((level) => ({
    label: words.levels[level],
    count: freshness.counts[level],
  }));
}

/** Number of datasets by freshness. Sample data counts only while there is no other. */
function freshnessIn({ axes }: PageRequest['store'], today: string): StatusView['freshness'] {
  const all = [...axes.values()];
  const real = all.filter(({ axis }) => axis.origin !== 'sample');
  const counted = real.length > 0 ? real : all;
  const counts = { fresh: 0, due: 0, stale: 0, unknown: 0 };
  for (const { axis } of counted) counts[freshnessOf(axis, today)]++;
  return {
    counts,
    samples: all.length - real.length,
    isOfSample: real.length === 0 && all.length > 0,
  };
}

function originCounts({ stats, words }: StatusView): NamedCount[] {
  const origins = ['portal', 'file', 'sample'] as const;
  return origins.map((one) => ({ label: words.origins[one], count: stats.axes.byOrigin[one] }));
}

function typeCounts(
  counts: StatusView['stats']['rows']['byType'],
  { words }: StatusView,
): NamedCount[] {
  return catalogTypes.map((type) => ({ label: words.types[type], count: counts[type] }));
}

/** Ages of the real datasets whose update cycle is unknown, by the date of their data, and the oldest of them. */
function ageSection({ store, words, language, lang }: StatusView): Html {
  const today = todayInSeoul();
  const undated = [...store.axes.values()].filter(
    ({ axis }) => axis.origin !== 'sample' && freshnessOf(axis, today) === 'unknown',
  );
  if (undated.length === 0) return emptyHtml;
  const aged = undated.map((stored) => ({ stored, ...newestDate(stored) }));
  const byAge = Map.groupBy(aged, ({ kind, date }) =>
    kind === 'collected' ? 'unknown' : ageOf(date, today),
  );
  const counts = ages.map((age) => ({
    label: html`${words.ages[age]}`,
    count: byAge.get(age)?.length ?? 0,
  }));
  const oldest = aged
    .filter(({ kind }) => kind !== 'collected')
    .sort((a, b) => (a.date < b.date ? -1 : 1))
    .slice(0, listedMax);
  return html`<section aria-labelledby="ages">
    <h2 id="ages">${words.agesHeading} <span class="quiet">${formatNumber(aged.length)}</span></h2>
    <p class="quiet">${words.agesLead}</p>
    ${barList(counts)}
    ${panel(
      words.oldest,
      datasetList(
        oldest.map(({ stored, date, kind }) => ({
          title: titleIn(stored, language),
          href: datasetPath(stored.axis.code, lang),
          origin: stored.axis.origin,
          facts: [searchTexts[language][kind](date), stored.axis.provider?.name ?? null],
        })),
        language,
      ),
    )}
  </section>`;
}

const ages = ['year', 'threeYears', 'older', 'unknown'] as const;

/** Age of a date, which may be a month or a year alone. */
function ageOf(date: string, today: string): (typeof ages)[number] {
  const years = (Date.parse(today) - Date.parse(date)) / (366 * dayMs);
  return years <= 1 ? 'year' : years <= 3 ? 'threeYears' : 'older';
}

/** Datasets past two update cycles of their source, oldest first. */
function overdueSection({ store, words, language, lang }: StatusView): Html {
  const today = todayInSeoul();
  const late = [...store.axes.values()].filter(({ axis }) => freshnessOf(axis, today) === 'stale');
  if (late.length === 0) return emptyHtml;
  const oldest = late
    .sort((a, b) => (dateOf(a.axis) < dateOf(b.axis) ? -1 : 1))
    .slice(0, listedMax);
  return html`<section aria-labelledby="overdue">
    <h2 id="overdue">${words.overdue} <span class="quiet">${formatNumber(late.length)}</span></h2>
    ${datasetList(
      oldest.map((stored) => ({
        title: titleIn(stored, language),
        href: datasetPath(stored.axis.code, lang),
        origin: stored.axis.origin,
        facts: [words.asOf(dateOf(stored.axis)), stored.axis.provider?.name ?? null],
      })),
      language,
    )}
  </section>`;
}

const listedMax = 20;

/** Datasets with findings of their last collection or load, most findings first. */
function findingSection({ store, words, language, lang }: StatusView): Html {
  const found = [...store.axes.values()]
    .map((stored) => ({ stored, findings: stored.quality?.findings ?? [] }))
    .filter(({ findings }) => findings.length > 0)
    .sort((a, b) => b.findings.length - a.findings.length || (title(a) < title(b) ? -1 : 1));
  const heading = html`<h2 id="findings">
    ${words.findings} <span class="quiet">${formatNumber(found.length)}</span>
  </h2>`;
  if (found.length === 0) {
    return html`<section aria-labelledby="findings">
      ${heading}
      <p>${words.noFindings}</p>
    </section>`;
  }
  return html`<section aria-labelledby="findings">
    ${heading}
    ${datasetList(
      found.slice(0, listedMax).map(({ stored, findings }) => ({
        title: titleIn(stored, language),
        href: `${datasetPath(stored.axis.code, lang)}#findings`,
        origin: stored.axis.origin,
        facts: findings.map(
          ({ kind, count }) => `${findingName(kind, language)} ${formatNumber(count)}`,
        ),
      })),
      language,
    )}
  </section>`;

  function title({ stored }: (typeof found)[number]): string {
    return stored.axis.title;
  }
}
