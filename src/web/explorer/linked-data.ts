import { periodOf } from '../../data/period.ts';
import { regionScope } from '../../data/regions/region-scope.ts';
import { shownLabel } from '../../data/shown-label.ts';
import { html, raw, type Html } from '../html.ts';
import { emptyHtml, formatNumber } from '../layout.ts';
import { labelIn, titleIn, wholeTarget, type DatasetView } from './dataset-view.ts';

/** The description of a dataset for search engines (schema.org/Dataset, as JSON-LD); none for sample data. */
export function linkedData(
  { stored, store, language, words, baseUrl }: DatasetView,
  url: string,
): Html {
  const { axis, fields, rows } = stored;
  const named = fields.slice(0, fieldsMax);
  const labels = named.map((field) => labelIn(field, language)).join(', ');
  if (axis.origin === 'sample') return emptyHtml;
  const [period, scope] = [periodOf(stored), regionScope(stored)];
  const licenseUrl = axis.license?.url ?? null;
  const formats = { csv: 'text/csv', parquet: 'application/vnd.apache.parquet' } as const;
  const description = {
    '@context': 'https://schema.org',
    '@type': 'Dataset',
    name: axis.title,
    ...(axis.titleEn === null ? {} : { alternateName: axis.titleEn }),
    description: `${titleIn(stored, language)}: ${words.whatSentence(formatNumber(rows), formatNumber(fields.length))} ${words.whatEvidence(labels)}`,
    url,
    identifier: axis.code,
    version: store.snapshot.id,
    inLanguage: 'ko',
    isAccessibleForFree: true,
    ...(axis.provider === null
      ? {}
      : { creator: { '@type': 'Organization', name: axis.provider.name } }),
    ...(axis.sourceModified === null ? {} : { dateModified: axis.sourceModified }),
    ...(licenseUrl === null ? {} : { license: licenseUrl }),
    ...(axis.sourceUrl === null ? {} : { isBasedOn: axis.sourceUrl }),
    ...(period === null ? {} : { temporalCoverage: `${period.from}/${period.to}` }),
    ...(scope === null ? {} : { spatialCoverage: scope.sidos.map(({ name }) => name) }),
    variableMeasured: named.map(shownLabel),
    distribution: Object.entries(formats).map(([format, type]) => ({
      '@type': 'DataDownload',
      encodingFormat: type,
      contentUrl: baseUrl + wholeTarget(stored, format),
    })),
  };
  // A data block runs nothing; the escape keeps `</script>` of a title from ending it.
  const json = JSON.stringify(description).replaceAll('<', '\\u003c');
  return html`<script type="application/ld+json">
    ${raw(json)}
  </script>`;
}

const fieldsMax = 30;
