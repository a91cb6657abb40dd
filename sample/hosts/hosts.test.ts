import assert from 'node:assert/strict';
import { test } from 'node:test';
import iconv from 'iconv-lite';
import { requestAddress, testMoment } from '../../test/fixtures/portal-caller.ts';
import type { FaultName } from '../faults/schedule.ts';
import { sampleDemandKeys, sampleKey } from '../keys.ts';
import { startSamplePortal, type SamplePortal } from '../portal.ts';
import { hiddenVolume } from './demand.ts';

const key = encodeURIComponent(sampleKey);
const start = () => startSamplePortal({ clock: () => testMoment });

/** Downloads a file in three steps: its page, the lookup of its attachment, its bytes. */
async function download(
  portal: SamplePortal,
  number: string,
): Promise<{ name: string; bytes: Buffer; type: string }> {
  const page = await requestAddress(portal, `www.data.go.kr/data/${number}/fileData.do`);
  const [, , detail = ''] = /fn_fileDataDown\('(\d+)', '([^']+)'/.exec(page.text) ?? [];
  const answer = await requestAddress(portal, 'www.data.go.kr/tcs/dss/selectFileDataDownload.do', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `publicDataPk=${number}&publicDataDetailPk=${encodeURIComponent(detail)}&atchFileId=&fileDetailSn=1`,
  });
  const { atchFileId } = JSON.parse(answer.text) as { atchFileId: string };
  assert.match(atchFileId, /^FILE_\d{15}$/);
  const address = `www.data.go.kr/cmm/cmm/fileDownload.do?atchFileId=${atchFileId}&fileDetailSn=1&insertDataPrcus=N`;
  const response = await fetch(`${portal.url}/${address}`);
  return {
    name: response.headers.get('content-disposition') ?? '',
    bytes: Buffer.from(await response.arrayBuffer()),
    type: response.headers.get('content-type') ?? '',
  };
}

/** First bytes of each file, which identify its format; a character is a byte. */
const firstBytes: Readonly<Record<string, string>> = {
  990000001: '\xc1\xd6\xc2\xf7\xc0\xe5', // 주차장 in CP949
  990000002: '\xef\xbb\xbf',
  990000003: '\xff\xfe',
  990000004: 'PK\x03\x04',
  990000005: '\xd0\xcf\x11\xe0',
  990000006: 'PK\x03\x04',
  990000013: '{"fields":',
  990000014: '<?xml',
  990000015: '<html>',
};

test('a file is downloaded in three steps, in its format and with the same bytes every time', async () => {
  await using one = await start();
  await using other = await start();
  for (let number = 990_000_001; number <= 990_000_018; number++) {
    const file = await download(one, String(number));
    assert.ok(file.bytes.length > 1000, String(number));
    assert.equal(file.type, 'application/octet-stream');
    assert.ok(file.bytes.toString('latin1').startsWith(firstBytes[number] ?? ''), String(number));
    assert.ok(file.bytes.equals((await download(other, String(number))).bytes), String(number));
  }
});

test('the name of a file is raw CP949 or percent-encoded', async () => {
  await using portal = await start();
  const { name } = await download(portal, '990000001');
  const decoded = iconv.decode(Buffer.from(name, 'latin1'), 'cp949');
  assert.equal(decoded, 'attachment; filename="예시광역시_예시 공영주차장 현황_20260831.csv"');
  assert.match((await download(portal, '990000002')).name, /filename="%EC%98%88/);
});

test('a history has every version, and an older one has fewer rows', async () => {
  await using portal = await start();
  const { text } = await requestAddress(
    portal,
    'www.data.go.kr/tcs/dss/selectHistAndCsvData.do?publicDataPk=990000001',
  );
  const attachments = [...text.matchAll(/'(FILE_\d{15})'/g)].map(([, id]) => id);
  assert.equal(attachments.length, 3);
  const sizes = await Promise.all(
    attachments.map(async (id) => {
      const address = `www.data.go.kr/cmm/cmm/fileDownload.do?atchFileId=${id}&fileDetailSn=1`;
      return (await (await fetch(`${portal.url}/${address}`)).arrayBuffer()).byteLength;
    }),
  );
  assert.ok((sizes[0] ?? 0) > (sizes[1] ?? 0) && (sizes[1] ?? 0) > (sizes[2] ?? 0));
  const [, second = ''] = [...text.matchAll(/data-public-pk="([^"]+)"/g)].map(
    ([, detail]) => detail,
  );
  const version = await requestAddress(
    portal,
    `www.data.go.kr/tcs/dss/selectDpkDetailInfo.do?publicDataDetailPk=${second}&publicDataHistSn=1`,
  );
  assert.ok(version.text.includes(attachments[1] ?? 'nothing'));
});

test('an agency’s file has a link instead of a button, and one behind a login answers HTML', async () => {
  await using portal = await start();
  const agency = await requestAddress(portal, 'www.data.go.kr/data/990000019/fileData.do');
  assert.match(agency.text, /<th>URL<\/th>/);
  assert.doesNotMatch(agency.text, /fn_fileDataDown/);
  const closed = await download(portal, '990000020');
  assert.match(closed.type, /^text\/html/);
});

test('the names in the ZIP are CP949, without the flag for UTF-8', async () => {
  await using portal = await start();
  const { bytes } = await download(portal, '990000006');
  assert.equal(bytes.readUInt16LE(6) & 0x800, 0);
  const length = bytes.readUInt16LE(26);
  assert.equal(iconv.decode(bytes.subarray(30, 30 + length), 'cp949'), '예시_CCTV_서울특별시.csv');
});

test('odcloud serves each version of a file at its own path, and filters by conditions', async () => {
  await using portal = await start();
  const swagger = await requestAddress(
    portal,
    'infuser.odcloud.kr/oas/docs?namespace=990000002/v1',
  );
  const [path = ''] = Object.keys((JSON.parse(swagger.text) as { paths: object }).paths);
  const requestRows = async (
    more: string,
  ): Promise<{ totalCount: number; matchCount: number; data: Record<string, unknown>[] }> =>
    JSON.parse(
      (await requestAddress(portal, `api.odcloud.kr/api${path}?serviceKey=${key}${more}`)).text,
    ) as { totalCount: number; matchCount: number; data: Record<string, unknown>[] };
  const all = await requestRows('&perPage=1000');
  assert.deepEqual([all.totalCount, all.data.length], [480, 480]);
  const some = await requestRows(
    `&perPage=1000&${encodeURIComponent('cond[도서관유형::EQ]')}=${encodeURIComponent('작은도서관')}`,
  );
  assert.ok(some.matchCount > 0 && some.matchCount < 480);
  const header = await requestAddress(portal, `api.odcloud.kr/api${path}`, {
    headers: { authorization: `Infuser ${sampleKey}` },
  });
  assert.equal(header.status, 200);
});

test('odcloud refuses missing or wrong keys, pages and datasets with its own codes', async () => {
  await using portal = await start();
  const refused = async (address: string): Promise<[number, unknown]> => {
    const { status, text } = await requestAddress(portal, address);
    return [status, (JSON.parse(text) as { code: unknown }).code];
  };
  const list = 'api.odcloud.kr/api/15077093/v1/dataset';
  assert.deepEqual(await refused(list), [401, -401]);
  assert.deepEqual(await refused(`${list}?serviceKey=unknown`), [400, -4]);
  assert.deepEqual(await refused(`${list}?page=0&serviceKey=${key}`), [400, -2]);
  assert.deepEqual(await refused(`api.odcloud.kr/api/1/v1/uddi:x?serviceKey=${key}`), [400, -3]);
});

test('the meta API has Korean names for the fields of an axis', async () => {
  await using portal = await start();
  const { text } = await requestAddress(
    portal,
    `api.odcloud.kr/api/15077093/v1/open-data-list?perPage=1000&serviceKey=${key}`,
  );
  const { data } = JSON.parse(text) as { data: Record<string, string>[] };
  const stops = data.find(({ operation_url: url }) => url?.endsWith('/getSttnNoList'));
  assert.match(stops?.['response_param_nm'] ?? '', /^정류소ID,정류소명/);
  assert.match(stops?.['response_param_nm_en'] ?? '', /^nodeid,nodenm/);
});

test('the list file has its 34 columns and no LINKED; the web list has all four types', async () => {
  await using portal = await start();
  const { bytes } = await download(portal, '15062804');
  const [header = '', ...lines] = bytes.toString('utf8').split('\r\n');
  assert.equal(header.replace('\uFEFF', '').split(',').length, 34);
  assert.ok(lines.length > 500 && !bytes.toString('utf8').includes(',LINKED,'));
  const meta = iconv.decode((await download(portal, '15121937')).bytes, 'cp949');
  assert.match(meta, /^목록키,목록유형,목록명/);
  for (const [type, page] of [
    ['API', 'openapi'],
    ['FILE', 'fileData'],
    ['STD', 'standard'],
    ['LINKED', 'linkedData'],
  ]) {
    const list = await requestAddress(
      portal,
      `www.data.go.kr/tcs/dss/selectDataSetList.do?dType=${type}&perPage=20&currentPage=2`,
    );
    const found = [...list.text.matchAll(/<a href="\/data\/(\d+)\/(\w+)\.do">/g)];
    assert.ok(found.length > 0 && found.every(([, , kind]) => kind === page), type);
  }
});

test('a dataset is described as schema.org and DCAT', async () => {
  await using portal = await start();
  const json = await requestAddress(portal, 'www.data.go.kr/catalog/15012005/openapi.json');
  assert.equal((JSON.parse(json.text) as { '@type': string })['@type'], 'Dataset');
  const rdf = await requestAddress(portal, 'www.data.go.kr/dcat/metadata/15012005');
  assert.match(rdf.text, /<dct:title>소상공인시장진흥공단/);
});

interface TrendEndpoint {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
}

const oldEndpoint: TrendEndpoint = {
  address: 'openapi.naver.com/v1/datalab/search',
  headers: {
    'X-Naver-Client-Id': sampleDemandKeys.id,
    'X-Naver-Client-Secret': sampleDemandKeys.secret,
  },
};
const newEndpoint: TrendEndpoint = {
  address: 'naverapihub.apigw.ntruss.com/search-trend/v1/search',
  headers: {
    'X-NCP-APIGW-API-KEY-ID': sampleDemandKeys.id,
    'X-NCP-APIGW-API-KEY': sampleDemandKeys.secret,
  },
};

function requestTrend(portal: SamplePortal, endpoint: TrendEndpoint, keywords: readonly string[]) {
  return requestAddress(portal, endpoint.address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...endpoint.headers },
    body: JSON.stringify({
      startDate: '2026-08-01',
      endDate: '2026-10-31',
      timeUnit: 'month',
      keywordGroups: keywords.map((word) => ({ groupName: word, keywords: [word] })),
    }),
  });
}

test('both search trend addresses give equal ratios, 100 for the largest volume', async () => {
  await using portal = await start();
  const words = ['주차장', '도서관', '병원', '날씨', '버스'];
  const answers = await Promise.all(
    [oldEndpoint, newEndpoint].map((address) => requestTrend(portal, address, words)),
  );
  assert.equal(answers[0]?.text, answers[1]?.text);
  const { results } = JSON.parse(answers[0]?.text ?? '') as {
    results: { title: string; data: { ratio: number }[] }[];
  };
  assert.equal(Math.max(...results.flatMap(({ data }) => data.map(({ ratio }) => ratio))), 100);
  const sums = results.map(({ title, data }) => ({
    title,
    sum: data.reduce((total, { ratio }) => total + ratio, 0),
  }));
  const [first] = sums;
  for (const { title, sum } of sums) {
    const truth = hiddenVolume(20_261_121, title) / hiddenVolume(20_261_121, first?.title ?? '');
    assert.ok(Math.abs(sum / (first?.sum ?? 1) / truth - 1) < 0.05, title);
  }
});

test('a spent quota of the search trend is refused with 429 and code 010', async () => {
  await using portal = await startSamplePortal({
    clock: () => testMoment,
    keys: { perDay: { demand: 1 } },
  });
  await requestTrend(portal, oldEndpoint, ['도서관']);
  const over = await requestTrend(portal, oldEndpoint, ['도서관']);
  assert.equal(over.status, 429);
  assert.match(over.text, /"errorCode":"010"/);
});

test('the search trend refuses six groups, and a client without its keys', async () => {
  await using portal = await start();
  const six = await requestTrend(portal, newEndpoint, ['1', '2', '3', '4', '5', '6']);
  assert.equal(six.status, 400);
  const unauthorised = await requestTrend(
    portal,
    { ...newEndpoint, headers: oldEndpoint.headers },
    ['1'],
  );
  assert.equal(unauthorised.status, 401);
});

test('a keyword with few searches has no data', async () => {
  await using portal = await start();
  const rareWord = Array.from({ length: 4000 }, (_, at) => `낱말${at}`).find(
    (word) => hiddenVolume(20_261_121, word) < 30,
  );
  assert.ok(rareWord !== undefined, 'every word is popular');
  const { text } = await requestAddress(portal, newEndpoint.address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...newEndpoint.headers },
    body: JSON.stringify({
      startDate: '2026-10-01',
      endDate: '2026-10-31',
      timeUnit: 'date',
      keywordGroups: [{ groupName: rareWord, keywords: [rareWord] }],
    }),
  });
  assert.match(text, /"data":\[\]/);
});

test('faults of the web list, the meta API and the search trend change their responses', async () => {
  await using portal = await start();
  const list = 'www.data.go.kr/tcs/dss/selectDataSetList.do?dType=LINKED&perPage=40&currentPage=2';
  const meta = `api.odcloud.kr/api/15077093/v1/dataset?perPage=5&page=2&serviceKey=${key}`;
  const textUnder = async (fault: FaultName, address: string): Promise<string> => {
    portal.setFaults([{ fault }]);
    return (await requestAddress(portal, address)).text;
  };
  assert.match(await textUnder('list_other_page', list), /id="currentPage" value="1"/);
  assert.equal(itemsOf(await textUnder('list_ten_a_page', list)), 10);
  assert.equal(itemsOf(await textUnder('list_item_lost', list)), 39);
  assert.match(await textUnder('odcloud_first_page', meta), /"page":1/);
  for (const [fault, status] of [
    ['trend_error', 500],
    ['trend_burst', 429],
    ['trend_forbidden', 403],
    ['trend_quota', 429],
  ] as const) {
    portal.setFaults([{ fault }]);
    const answer = await requestTrend(portal, newEndpoint, ['도서관']);
    assert.equal(answer.status, status);
    assert.match(answer.text, /"errorMessage"/);
  }
});

function itemsOf(text: string): number {
  return text.split('apply-result-item').length - 1;
}
