import type { CatalogEntry } from '../catalog/entry.ts';
import { pageNameOf } from '../catalog/list-files.ts';
import { operations } from '../operation.ts';
import { htmlReply, jsonReply, xmlReply, type Reply } from '../reply.ts';
import { element, xmlText } from '../xml.ts';
import type { HostHandler } from './host-handler.ts';
import type { PublishedDatasets } from './published-datasets.ts';

/** The catalog as web pages: the list of all four types, a page and a description of each dataset. */
export function catalogHandler({ entries }: PublishedDatasets): HostHandler {
  const byNumber = new Map(
    entries.map((entry) => [`${pageNameOf(entry.type)} ${entry.number}`, entry]),
  );
  return ({ host, path, query }) => {
    if (host !== 'www.data.go.kr') return null;
    if (path === '/tcs/dss/selectDataSetList.do') return listPage(entries, query);
    const description = /^\/catalog\/(\d+)\/(\w+)\.json$/.exec(path);
    if (description !== null)
      return schemaOrgReply(byNumber.get(`${description[2]} ${description[1]}`));
    const metadata = /^\/dcat\/metadata\/(?:linked\/)?(\d+)(?:\.do)?$/.exec(path)?.[1];
    if (metadata !== undefined) return dcatReply(entries.find(({ number }) => number === metadata));
    const page = /^\/data\/(\d+)\/(openapi|standard|linkedData)\.do$/.exec(path);
    return page === null ? null : datasetPage(byNumber.get(`${page[2]} ${page[1]}`));
  };
}

const perPageMax = 40;

/** A page of the list. An invalid parameter is replaced by its default, and the page shows the values in use. */
function listPage(entries: readonly CatalogEntry[], query: ReadonlyMap<string, string>): Reply {
  const type = query.get('dType') ?? 'TOTAL';
  const keyword = query.get('keyword') ?? '';
  const matching = entries.filter(
    (entry) => (type === 'TOTAL' || entry.type === type) && entry.title.includes(keyword),
  );
  if (query.get('sort') === 'inqireCo') matching.sort((a, b) => b.views - a.views);
  if (query.get('sort') === 'reqCo') matching.sort((a, b) => b.usage - a.usage);
  const page = naturalNumber(query.get('currentPage'), 1);
  const perPage = Math.min(perPageMax, naturalNumber(query.get('perPage'), 10));
  const items = matching.slice((page - 1) * perPage, page * perPage).map(listItem);
  return htmlReply(`<!DOCTYPE html>
<html lang="ko"><head><title>데이터목록 | 공공데이터포털(예시)</title></head><body>
<input type="hidden" id="currentPage" value="${page}"><input type="hidden" id="perPage" value="${perPage}">
<h3>${type} <strong>총 ${matching.length.toLocaleString('en-US')}건</strong></h3>
<div class="data-list-group">
${items.join('\n')}
</div></body></html>
`);
}

function naturalNumber(text: string | undefined, defaultNumber: number): number {
  const number = Number(text ?? defaultNumber);
  return Number.isInteger(number) && number > 0 ? number : defaultNumber;
}

function listItem(entry: CatalogEntry): string {
  const badges = entry.formats.map((format) => `<span class="tagset">${format}</span>`).join('');
  // On the real pages, too, the markup of keywords is broken for LINKED.
  const keywords =
    entry.type === 'LINKED'
      ? `<p><strong>키워드 ${xmlText(entry.keywords.join(','))}</p>`
      : `<p><strong>키워드</strong> <span>${xmlText(entry.keywords.join(','))}</span></p>`;
  return `<div class="apply-result-item"><div class="apply-result-link">${badges}<a href="/data/${entry.number}/${pageNameOf(entry.type)}.do"><span class="title">${xmlText(entry.title)}</span></a></div>
<dd class="desc">${xmlText(entry.description)}</dd>
<p><strong>제공기관</strong> <span>${xmlText(entry.provider)}</span></p><p><strong>수정일</strong> <span>${entry.modified}</span></p><p><strong>조회수</strong> <span>${entry.views}</span></p><p><strong>${entry.type === 'API' ? '활용신청' : '다운로드'}</strong> <span>${entry.usage}</span></p><p><strong>주기성 데이터</strong> <span>${entry.updateCycle}</span></p>${keywords}</div>`;
}

/** Schema.org as the portal writes it: raw line breaks in texts make some answers invalid JSON. */
function schemaOrgReply(entry: CatalogEntry | undefined): Reply {
  if (entry === undefined)
    return htmlReply('<html><body>존재하지 않는 데이터입니다.</body></html>');
  const text = JSON.stringify({
    '@context': 'https://schema.org',
    '@type': 'Dataset',
    name: entry.title,
    description: entry.description,
    url: `https://www.data.go.kr/data/${entry.number}/${pageNameOf(entry.type)}.do`,
    keywords: [entry.keywords.join(',')],
    license: 'https://www.data.go.kr/ugs/selectPortalPolicyView.do',
    dateCreated: entry.registered,
    dateModified: entry.modified,
    datePublished: entry.registered,
    creator: {
      '@type': 'Organization',
      name: entry.provider,
      contactPoint: {
        '@type': 'ContactPoint',
        contactType: entry.department,
        telephone: '+82-02-000-0000',
      },
    },
    distribution: [{ '@type': 'DataDownload', encodingFormat: entry.formats.join('+') }],
  });
  return jsonReply(text.replaceAll('\\n', '\n'));
}

function dcatReply(entry: CatalogEntry | undefined): Reply {
  if (entry === undefined)
    return htmlReply('<html><body>존재하지 않는 데이터입니다.</body></html>');
  const about =
    element('dct:title', xmlText(entry.title)) +
    element('dct:description', xmlText(entry.description)) +
    entry.keywords.map((word) => element('dcat:keyword', xmlText(word))).join('') +
    element('dct:issued', entry.registered) +
    element('dct:modified', entry.modified);
  return xmlReply(
    `<?xml version="1.0" encoding="UTF-8"?>\n<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dcat="http://www.w3.org/ns/dcat#" xmlns:dct="http://purl.org/dc/terms/"><dcat:Dataset rdf:about="https://www.data.go.kr/data/${entry.number}">${about}</dcat:Dataset></rdf:RDF>`,
  );
}

/** Page of a dataset. The page of an API has a Swagger document with Korean titles of the fields. */
function datasetPage(entry: CatalogEntry | undefined): Reply {
  if (entry === undefined)
    return htmlReply('<html><body>존재하지 않는 데이터입니다.</body></html>');
  const ownOperations = operations.filter(({ number }) => number === entry.number);
  const paths = ownOperations.map(({ path, title, fields }) => [
    `/${path.split('/').at(-1)}`,
    {
      get: {
        summary: title,
        responses: {
          200: {
            schema: {
              properties: Object.fromEntries(
                fields.map(({ name, label }) => [name, { type: 'string', title: label }]),
              ),
            },
          },
        },
      },
    },
  ]);
  const swagger = JSON.stringify({ swagger: '2.0', paths: Object.fromEntries(paths) });
  return htmlReply(`<!DOCTYPE html>
<html lang="ko"><head><title>${xmlText(entry.title)} | 공공데이터포털(예시)</title></head><body>
<h2>${xmlText(entry.title)}</h2><p>${xmlText(entry.description)}</p>
<script>var swaggerJson = \`${swagger}\`; var swaggerUrl = '';</script>
</body></html>
`);
}
