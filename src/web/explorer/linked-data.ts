import type { StoredAxis } from '../../data/axis.ts';
import { shownLabel } from '../../data/shown-label.ts';
import type { LookupStore } from '../../lookup/store/store.ts';
import { html, raw, type Html } from '../html.ts';
import { emptyHtml } from '../layout.ts';
import { wholeTarget } from './dataset-view.ts';

/** The description of a dataset for search engines (schema.org/Dataset, as JSON-LD); none for sample data. */
export function linkedData(
  stored: StoredAxis,
  url: string,
  baseUrl: string,
  { snapshot }: LookupStore,
): Html {
  const { axis, fields } = stored;
  if (axis.origin === 'sample') return emptyHtml;
  const licenseUrl = axis.license?.url ?? null;
  const formats = { csv: 'text/csv', parquet: 'application/vnd.apache.parquet' } as const;
  const description = {
    '@context': 'https://schema.org',
    '@type': 'Dataset',
    name: axis.title,
    ...(axis.titleEn === null ? {} : { alternateName: axis.titleEn }),
    description: `${axis.title}: ${stored.rows} records, ${fields.length} fields (${fields
      .slice(0, fieldsMax)
      .map(shownLabel)
      .join(', ')})`,
    url,
    identifier: axis.code,
    version: snapshot.id,
    inLanguage: 'ko',
    isAccessibleForFree: true,
    ...(axis.provider === null
      ? {}
      : { creator: { '@type': 'Organization', name: axis.provider.name } }),
    ...(axis.sourceModified === null ? {} : { dateModified: axis.sourceModified }),
    ...(licenseUrl === null ? {} : { license: licenseUrl }),
    ...(axis.sourceUrl === null ? {} : { isBasedOn: axis.sourceUrl }),
    variableMeasured: fields.slice(0, fieldsMax).map(shownLabel),
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
