import { datasetTopics } from '../contract/pages.ts';
import type { License, StoredAxis } from '../data/axis.ts';
import { shownLabel } from '../data/shown-label.ts';
import { cacheable } from '../kernel/http/conditional.ts';
import type { Document } from '../kernel/http/result.ts';
import type { Router } from '../kernel/http/router.ts';
import type { StoreHolder } from '../lookup/current-store.ts';
import { exportFormats, type ExportFormat } from '../lookup/exports/export-body.ts';
import { noSnapshot } from '../lookup/no-snapshot.ts';
import { docsAddresses, type AddressSettings } from './docs/addresses.ts';
import { wholeTarget } from './explorer/dataset-view.ts';
import { datasetPath } from './explorer/paths.ts';
import { isUnder, topics } from './explorer/topics.ts';
import type { PageCache } from './page-cache.ts';

interface DcatOptions {
  readonly holder: StoreHolder;
  readonly settings: AddressSettings;
  readonly pageCache: PageCache;
}

/** Adds `/catalog.jsonld`: the real datasets for other catalogs to harvest (W3C DCAT 3, in the terms of DCAT-AP 3). */
export function addDcatCatalog(router: Router, { holder, settings, pageCache }: DcatOptions): void {
  router.get('/catalog.jsonld', async (request) => {
    const baseUrl = docsAddresses(settings, request.header('host')).lookup;
    const lease = holder.lease();
    if (lease === null) throw noSnapshot();
    try {
      const { store } = lease;
      const key = `/catalog.jsonld ${baseUrl}`;
      const content = await pageCache.page(holder.version, key, async (): Promise<Document> => {
        const body = Buffer.from(JSON.stringify(dcatCatalog([...store.axes.values()], baseUrl)));
        return { type: 'application/ld+json; charset=utf-8', body };
      });
      return cacheable(content, { vary: 'Accept-Encoding, Host' });
    } finally {
      lease.release();
    }
  });
}

function dcatCatalog(axes: readonly StoredAxis[], baseUrl: string): object {
  const real = axes.filter(({ axis }) => axis.origin !== 'sample');
  return {
    '@context': {
      dcat: 'http://www.w3.org/ns/dcat#',
      dct: 'http://purl.org/dc/terms/',
      foaf: 'http://xmlns.com/foaf/0.1/',
      xsd: 'http://www.w3.org/2001/XMLSchema#',
    },
    '@id': `${baseUrl}/catalog.jsonld`,
    '@type': 'dcat:Catalog',
    'dct:title': texts('마루: 대한민국 공공데이터', 'Maru: open data of Korea'),
    'dct:description': texts(
      '공공데이터포털의 데이터를 인증키 없이 검색하고 읽는 곳.',
      'Data of Korea’s open-data portal, to search and read without a key.',
    ),
    'dct:publisher': {
      '@type': 'foaf:Agent',
      'foaf:name': 'Maru',
      'foaf:homepage': { '@id': `${baseUrl}/` },
    },
    'dct:language': [language('KOR'), language('ENG')],
    'foaf:homepage': { '@id': `${baseUrl}/` },
    'dcat:service': {
      '@id': `${baseUrl}/api`,
      '@type': 'dcat:DataService',
      'dct:title': texts('마루 조회 API', 'Maru lookup API'),
      'dcat:endpointURL': { '@id': `${baseUrl}/api` },
      'dcat:endpointDescription': { '@id': `${baseUrl}/openapi/lookup.json` },
    },
    'dcat:dataset': real.map((stored) => dataset(stored, baseUrl)),
  };
}

function dataset(stored: StoredAxis, baseUrl: string): object {
  const { axis, rows, fields } = stored;
  const page = baseUrl + datasetPath(axis.code);
  const labels = fields.slice(0, labelsMax).map(shownLabel).join(', ');
  const { provider, sourceModified, sourceUrl } = axis;
  const themes = datasetTopics.flatMap((topic) =>
    isUnder(stored, topic) ? (topics[topic].theme ?? []) : [],
  );
  return {
    '@id': page,
    '@type': 'dcat:Dataset',
    'dct:identifier': axis.code,
    'dct:title':
      axis.titleEn === null
        ? { '@language': 'ko', '@value': axis.title }
        : texts(axis.title, axis.titleEn),
    'dct:description': texts(
      `레코드 ${rows}건, 필드 ${fields.length}개: ${labels}`,
      `${rows} records of ${fields.length} fields: ${labels}`,
    ),
    'dcat:landingPage': { '@id': page },
    'dct:language': language('KOR'),
    'dct:spatial': { '@id': `${publications}country/KOR` },
    'dcat:version': axis.collectedAt,
    ...(themes.length === 0
      ? {}
      : {
          'dcat:theme': [...new Set(themes)].map((theme) => ({
            '@id': `${publications}data-theme/${theme}`,
          })),
        }),
    ...(provider === null
      ? {}
      : { 'dct:publisher': { '@type': 'foaf:Agent', 'foaf:name': provider.name } }),
    ...(sourceModified === null ? {} : { 'dct:modified': date(sourceModified) }),
    ...(sourceUrl === null ? {} : { 'dct:source': { '@id': sourceUrl } }),
    ...frequency(axis.updateCycle),
    'dcat:distribution': formatsOf(stored).map((format) =>
      distribution(format, baseUrl + wholeTarget(stored, format), page, axis.license),
    ),
  };
}

const labelsMax = 30;

function formatsOf({ hasCoordinates }: StoredAxis): ExportFormat[] {
  const formats: ExportFormat[] = ['csv', 'parquet', 'ndjson'];
  return hasCoordinates ? [...formats, 'geojson'] : formats;
}

function distribution(
  format: ExportFormat,
  address: string,
  page: string,
  license: License | null,
): object {
  const [mediaType] = exportFormats[format].split(';');
  return {
    '@type': 'dcat:Distribution',
    'dcat:accessURL': { '@id': page },
    'dcat:downloadURL': { '@id': address },
    'dcat:mediaType': { '@id': `https://www.iana.org/assignments/media-types/${mediaType}` },
    ...(license === null
      ? {}
      : {
          'dct:license':
            license.url === null ? { 'dct:title': license.name } : { '@id': license.url },
        }),
  };
}

/** Names of the EU's vocabulary for the durations that the portal's update cycles have. */
const frequencies: Readonly<Record<string, string>> = {
  PT0S: 'CONT',
  PT1H: 'HOURLY',
  P1D: 'DAILY',
  P1W: 'WEEKLY',
  P2W: 'BIWEEKLY',
  P1M: 'MONTHLY',
  P2M: 'BIMONTHLY',
  P3M: 'QUARTERLY',
  P6M: 'ANNUAL_2',
  P1Y: 'ANNUAL',
  P2Y: 'BIENNIAL',
};

function frequency(cycle: string | null): object {
  const name = cycle === null ? undefined : frequencies[cycle];
  return name === undefined
    ? {}
    : { 'dct:accrualPeriodicity': { '@id': `${publications}frequency/${name}` } };
}

/** Vocabularies that DCAT-AP prescribes. */
const publications = 'http://publications.europa.eu/resource/authority/';

function language(code: 'KOR' | 'ENG'): object {
  return { '@id': `${publications}language/${code}` };
}

function texts(ko: string, en: string): object[] {
  return [
    { '@language': 'ko', '@value': ko },
    { '@language': 'en', '@value': en },
  ];
}

/** A date as far as it is known: `2026`, `2026-06`, a day or a time. */
function date(text: string): object {
  const type =
    text.length === 4
      ? 'gYear'
      : text.length === 7
        ? 'gYearMonth'
        : text.length === 10
          ? 'date'
          : 'dateTime';
  return { '@type': `xsd:${type}`, '@value': text };
}
