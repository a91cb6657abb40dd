import { institutionInTitle } from '../../data/institutions.ts';
import type { Language } from '../../contract/language.ts';
import { koreanDay } from '../../data/korean-time.ts';
import { freshnessOf, todayInSeoul } from '../../data/freshness.ts';
import type { Fact } from '../components/facts.ts';
import { html, type Html } from '../html.ts';
import { formatNumber } from '../layout.ts';
import { cycleText } from './dataset-texts.ts';
import { newestDate } from './dataset-index.ts';
import { labelIn, type DatasetView } from './dataset-view.ts';
import { periodSummary, regionSummary, scopeFact } from './scope-fact.ts';
import { searchTexts } from './search-texts.ts';
import { licenseName, licenseSentence } from '../../data/license-texts.ts';

/** Sentences about a dataset: its content, scope, provider, age and terms of use, each with its evidence. */
export function datasetFacts(view: FactView): Fact[] {
  const scope = scopeFact(view.stored, view.language, isOfPart(view));
  return [contentFact(view), scope, providerFact(view), ageFact(view), termsFact(view)];
}

/** Provider, scope, date and terms of a dataset in a few words. */
export function factSummary(view: FactView): string {
  const { stored, words, language } = view;
  const { origin, provider, title, license } = stored.axis;
  const maker = provider?.name ?? institutionInTitle(title) ?? words.whoUnknownShort;
  const { date, kind } = newestDate(stored);
  const scope = [
    ...regionSummary(stored, language),
    ...periodSummary(stored, language, isOfPart(view)),
  ];
  const dated = kind === 'until' ? null : searchTexts[language][kind](date);
  const terms = license === null ? words.mayUnknownShort : licenseName(license, language);
  const [who, may] = origin === 'sample' ? [words.sampleShort, null] : [maker, terms];
  return [who, ...scope, dated, may].filter((part) => part !== null).join(' · ');
}

type FactView = Pick<DatasetView, 'stored' | 'words' | 'language' | 'params'>;

/** True if the page selects some of the records. */
function isOfPart({ params }: Pick<DatasetView, 'params'>): boolean {
  const { where, q, sido, sigungu, near, bbox } = params;
  return [where, q, sido, sigungu, near, bbox].some((one) => one !== undefined);
}

function contentFact({ stored, words, language }: FactView): Fact {
  const { fields, rows } = stored;
  const labels = fields.slice(0, labelsMax).map((field) => labelIn(field, language));
  const more = fields.length > labelsMax ? ' …' : '';
  return {
    term: words.what,
    sentence: words.whatSentence(formatNumber(rows), formatNumber(fields.length)),
    evidence: html`${words.whatEvidence(labels.join(', ') + more)}`,
    tone: 'known',
  };
}

const labelsMax = 4;

function providerFact({ stored, words, language }: FactView): Fact {
  const { origin, provider, sourceUrl, portalId } = stored.axis;
  const number = portalId === null ? null : words.portalNumber(portalId);
  const source =
    sourceUrl === null ? words.noSource : sourceLink(sourceUrl, words.source, language);
  const listed = stored.listed?.hasProvider === true ? words.listed(stored.listed.date) : null;
  const parts = [number, listed].filter((part) => part !== null);
  const evidence = html`${source}${parts.map((part) => ` · ${part}`)}`;
  const term = words.who;
  if (origin === 'sample') {
    return { term, sentence: words.whoSample, evidence, tone: 'warning' };
  }
  if (provider === null) {
    const maker = institutionInTitle(stored.axis.title);
    if (maker === null) return { term, sentence: words.whoUnknown, evidence, tone: 'unknown' };
    const byTitle = html`${words.whoEvidence} ${evidence}`;
    return { term, sentence: words.whoByTitle(maker), evidence: byTitle, tone: 'known' };
  }
  return { term, sentence: words.whoSentence(provider.name), evidence, tone: 'known' };
}

function ageFact({ stored, words, language }: FactView): Fact {
  const { axis } = stored;
  const { sourceModified, collectedAt, updateCycle } = axis;
  const collected = koreanDay(collectedAt);
  const freshness = words.freshness[freshnessOf(axis, todayInSeoul())];
  const cycle =
    updateCycle === null ? words.cycleUnknown : words.cycle(cycleText(updateCycle, language));
  const listed = sourceModified === null ? (stored.listed?.modified ?? null) : null;
  if (listed !== null) {
    return {
      term: words.when,
      sentence: words.listedModified(listed),
      evidence: html`${words.listed(stored.listed?.date ?? null)} · ${words.collected(collected)} ·
      ${cycle}`,
      tone: 'known',
    };
  }
  const sentence =
    sourceModified === null
      ? words.modifiedUnknown(collected)
      : `${words.modified(koreanDay(sourceModified))} ${freshness}`;
  const evidence = sourceModified === null ? cycle : `${words.collected(collected)} · ${cycle}`;
  return {
    term: words.when,
    sentence,
    evidence: html`${evidence}`,
    tone: sourceModified === null ? 'unknown' : 'known',
  };
}

function termsFact({ stored, words, language }: FactView): Fact {
  const { license, origin, sourceUrl } = stored.axis;
  const source =
    sourceUrl === null ? words.noSource : sourceLink(sourceUrl, words.source, language);
  const term = words.may;
  if (origin === 'sample') {
    return { term, sentence: words.maySample, evidence: html`${source}`, tone: 'warning' };
  }
  if (license === null) {
    return {
      term,
      sentence: sourceUrl === null ? words.mayUnknownAlone : words.mayUnknown,
      evidence: html`${source}`,
      tone: 'unknown',
    };
  }
  const name = licenseName(license, language);
  const named = license.url === null ? name : sourceLink(license.url, name, language);
  const { listed } = stored;
  const evidence = html`${named}${listed?.hasLicense === true ? ` · ${words.listed(listed.date)}` : null}`;
  return {
    term,
    sentence: licenseSentence(license, language),
    evidence,
    tone: license.id === 'third-party-rights' ? 'warning' : 'known',
  };
}

/**
 * A link to another site, which learns nothing of this page; text alone unless the address is of the web. With a
 * language it has a mark, and names the portal for screen readers.
 */
export function sourceLink(url: string, text: string, language?: Language): Html {
  if (!/^https?:\/\//i.test(url)) return html`${text}`;
  const mark =
    language === undefined
      ? null
      : html`<span aria-hidden="true"> ↗</span
          ><span class="spoken">
            (${siteTexts[language][isPortal.test(url) ? 'portal' : 'other']})</span
          >`;
  return html`<a href="${url}" rel="noopener noreferrer nofollow" referrerpolicy="no-referrer"
    >${text}${mark}</a
  >`;
}

const isPortal = /^https?:\/\/(?:www\.)?data\.go\.kr(?:[/?#]|$)/i;
const siteTexts = {
  ko: { portal: '공공데이터포털로 이동', other: '다른 사이트로 이동' },
  en: { portal: 'at the portal data.go.kr', other: 'at another site' },
} as const;
