import iconv from 'iconv-lite';
import type { FileDataset, FileVersion } from '../files/datasets.ts';
import type { PortalRequest } from '../portal-request.ts';
import { htmlReply, jsonReply, type Reply } from '../reply.ts';
import { xmlText } from '../xml.ts';
import type { HostHandler } from './host-handler.ts';
import type { PublishedDatasets } from './published-datasets.ts';

/** Files in three steps on www.data.go.kr: the page, the lookup of the attachment, the download. */
export function downloadHandler(datasets: PublishedDatasets): HostHandler {
  const byAttachment = new Map(
    [...datasets.files.values()].flatMap((file) =>
      file.versions.map((version) => [version.attachmentId, { file, version }] as const),
    ),
  );
  return (request) => {
    if (request.host !== 'www.data.go.kr') return null;
    const { path } = request;
    const page = /^\/data\/(\d+)\/fileData\.do$/.exec(path)?.[1];
    if (page !== undefined) return filePage(datasets.files.get(page));
    switch (path) {
      case '/tcs/dss/selectFileDataDownload.do':
        return attachmentReply(datasets, parametersOf(request));
      case '/tcs/dss/selectHistAndCsvData.do':
        return historyReply(datasets.files.get(parametersOf(request).get('publicDataPk') ?? ''));
      case '/tcs/dss/selectDpkDetailInfo.do':
        return versionPage(datasets, parametersOf(request).get('publicDataDetailPk') ?? '');
      case '/cmm/cmm/fileDownload.do':
        return download(byAttachment.get(request.query.get('atchFileId') ?? ''));
      default:
        return null;
    }
  };
}

/** Parameters of the query and, for a POST, of the form. */
function parametersOf({ method, query, body }: PortalRequest): ReadonlyMap<string, string> {
  return method === 'POST' ? new Map([...query, ...new URLSearchParams(body)]) : query;
}

function filePage(file: FileDataset | undefined): Reply {
  const [newest] = file?.versions ?? [];
  if (file === undefined || newest === undefined)
    return htmlReply(messagePage('존재하지 않는 데이터입니다.'));
  const title = xmlText(file.title);
  const action =
    file.access === 'agency'
      ? `<tr><th>URL</th><td><a href="https://example.com/agency">https://example.com/agency</a></td></tr>`
      : `<tr><th>다운로드</th><td><a href="javascript:void(0);" onclick="${downloadCall(file, newest)}">다운로드</a></td></tr>`;
  const columns = (newest.table?.().header ?? []).map(
    (name) => `<tr><td>${xmlText(name)}</td><td>VARCHAR</td><td>255</td></tr>`,
  );
  // As on some real pages, this link leads to the wrong attachment; the button does not.
  const schemaOrg = JSON.stringify({
    '@context': 'https://schema.org',
    '@type': 'Dataset',
    name: file.title,
    distribution: [
      {
        '@type': 'DataDownload',
        encodingFormat: file.extension.toUpperCase(),
        contentUrl:
          'https://www.data.go.kr/cmm/cmm/fileDownload.do?atchFileId=FILE_000000000000000&fileDetailSn=1',
      },
    ],
  });
  return htmlReply(`<!DOCTYPE html>
<html lang="ko"><head><title>${title} | 공공데이터포털(예시)</title>
<script type="application/ld+json">${schemaOrg}</script></head><body>
<input type="hidden" id="publicDataPk" name="publicDataPk" value="${file.number}">
<input type="hidden" id="publicDataDetailPk" name="publicDataDetailPk" value="${newest.detailKey}">
<h2>${title}_${newest.date}</h2>
<table><tr><th>제공기관</th><td>${xmlText(file.provider)}</td></tr>
<tr><th>업데이트 주기</th><td>${xmlText(file.updateCycle)}</td></tr>
<tr><th>전체 행</th><td>${newest.rows}</td></tr>
<tr><th>확장자</th><td>${file.extension.toUpperCase()}</td></tr>
${action}</table>
<table class="column-def"><tr><th>항목명</th><th>데이터타입</th><th>최대길이</th></tr>${columns.join('')}</table>
<ul class="history">${file.versions
    .slice(1)
    .map((version) => historyItem(file, version))
    .join('\n')}</ul>
</body></html>
`);
}

/** Script of a download button: number, version, attachment (mostly empty), serial number, format. */
function downloadCall(file: FileDataset, version: FileVersion, attachment = ''): string {
  return `fileDetailObj.fn_fileDataDown('${file.number}', '${version.detailKey}', '${attachment}', '1', '${file.extension.toUpperCase()}')`;
}

function historyItem(file: FileDataset, version: FileVersion): string {
  return `<li data-public-pk="${version.detailKey}" data-public-detail-sn="1">${xmlText(file.title)}_${version.date} <a href="javascript:void(0);" onclick="${downloadCall(file, version, version.attachmentId)}">다운로드</a></li>`;
}

function historyReply(file: FileDataset | undefined): Reply {
  if (file === undefined) return htmlReply(messagePage('존재하지 않는 데이터입니다.'));
  const items = file.versions.map((version) => historyItem(file, version)).join('\n');
  return htmlReply(
    `<div id="tab-layer-file-04"></div>\n<div id="tab-layer-file-05"><ul>${items}</ul></div>\n`,
  );
}

/** A page with the history item of one version. */
function versionPage(datasets: PublishedDatasets, detailKey: string): Reply {
  for (const file of datasets.files.values()) {
    const version = file.versions.find((one) => one.detailKey === detailKey);
    if (version !== undefined) return htmlReply(`<ul>${historyItem(file, version)}</ul>\n`);
  }
  return htmlReply(messagePage('존재하지 않는 데이터입니다.'));
}

function attachmentReply(datasets: PublishedDatasets, form: ReadonlyMap<string, string>): Reply {
  const file = datasets.files.get(form.get('publicDataPk') ?? '');
  const version = file?.versions.find(
    ({ detailKey }) => detailKey === form.get('publicDataDetailPk'),
  );
  if (file === undefined || version === undefined || file.access === 'agency')
    return jsonReply(JSON.stringify({ status: false, error: '파일 정보가 없습니다.' }));
  const dataNm = `${file.title}_${version.date}`;
  return jsonReply(
    JSON.stringify({
      status: true,
      error: null,
      atchFileId: version.attachmentId,
      fileDetailSn: '1',
      dpk: file.number,
      fileDataRegistVO: {
        dataNm,
        orginlFileNm: version.fileName,
        atchFileExtsn: file.extension,
        atchFileCo: version.rows,
      },
      dataSetFileDetailInfo: { dataNm, updtDt: version.date },
    }),
  );
}

function download(attachment: { file: FileDataset; version: FileVersion } | undefined): Reply {
  if (attachment === undefined) return htmlReply(messagePage('파일이 존재하지 않습니다.'));
  const { file, version } = attachment;
  if (file.access === 'login') return htmlReply(messagePage('로그인 후 이용해 주시기 바랍니다.'));
  return {
    status: 200,
    type: 'application/octet-stream',
    headers: { 'content-disposition': disposition(file, version.fileName) },
    body: version.bytes(),
  };
}

/** File names are raw CP949 bytes from half of the servers and percent-encoded from the others. */
function disposition(file: FileDataset, name: string): string {
  if (Number(file.number) % 2 === 0) return `attachment; filename="${encodeURIComponent(name)}"`;
  return `attachment; filename="${iconv.encode(name, 'cp949').toString('latin1')}"`;
}

/** Page that the portal sends instead of an error, with status 200. */
function messagePage(sentence: string): string {
  return `<!DOCTYPE html>\n<html lang="ko"><head><title>공공데이터포털(예시)</title></head><body><p>${sentence}</p></body></html>\n`;
}
