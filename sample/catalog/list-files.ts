import { cp949Style, textFile, utf8BomStyle, type Cells } from '../files/text-file.ts';
import { operations } from '../operation.ts';
import type { CatalogEntry } from './entry.ts';

/** Dataset 15062804, 목록개방현황: one row for each dataset except LINKED, in UTF-8 with a byte order mark. */
export function datasetListFile(entries: readonly CatalogEntry[]): Buffer {
  const rows = entries.filter(({ type }) => type !== 'LINKED').map(listRow);
  return textFile([listHeader.split('|'), ...rows], utf8BomStyle);
}

/** Dataset 15121937, 목록 메타정보: parameters and response fields of each API, in CP949. */
export function fieldListFile(entries: readonly CatalogEntry[]): Buffer {
  const header = [
    '목록키',
    '목록유형',
    '목록명',
    '제공기관',
    '서비스 유형',
    '요청변수',
    '출력결과',
  ];
  const rows = entries
    .filter(({ type }) => type === 'API' || type === 'STD')
    .map((entry, index) => {
      const ownOperations = operations.filter(({ number }) => number === entry.number);
      const parameters = ownOperations.flatMap(({ required, optional }) =>
        required.concat(optional),
      );
      const labels = ownOperations.flatMap(({ fields }) => fields.map(({ label }) => label));
      const row = [
        entry.number,
        entry.type,
        entry.title,
        entry.provider,
        entry.apiType,
        [...new Set(parameters)].join(','),
        [...new Set(labels)].join(','),
      ];
      // A broken row has a stray quotation mark and one cell too many.
      const isBroken = index % 60 === 41;
      return isBroken ? [...row.slice(0, 3), `"${entry.provider}`, ...row.slice(4), ''] : row;
    });
  return textFile([header, ...rows], cp949Style);
}

/** Dataset 15156444, 제공표준: the items of each standard dataset. */
export function standardsFile(): Buffer {
  const header =
    '데이터셋일련번호|데이터셋명|제공범위내용|관계법령내용|소관기관명|제공기관명|제공시스템명|갱신주기|항목번호|항목명|필수여부|항목설명|허용값|단위설명|예시값';
  const rows = operations
    .filter(({ family }) => family === 'std')
    .flatMap((operation, index): Cells =>
      operation.fields.map(({ label }, itemIndex) => [
        index + 1,
        operation.title,
        '예시',
        '',
        '예시부',
        '지방자치단체 등',
        '',
        '반기',
        itemIndex + 1,
        label,
        itemIndex < 3 ? '필수' : '선택',
        label,
        '',
        '',
        '',
      ]),
    );
  return textFile([header.split('|'), ...rows], utf8BomStyle);
}

const listHeader =
  '목록키|목록유형|목록명|파일데이터명|분류체계|제공기관코드|제공기관|관리 부서명|보유근거|수집방법|업데이트 주기|차기 등록 예정일|매체유형|전체행|확장자(데이터포맷)|키워드|다운로드_활용신청건수|등록일|수정일|데이터 한계|제공형태|설명|기타 유의사항|공간범위|시간범위|비용부과유무|이용허락범위|API 유형|신청가능 트래픽|심의 유형|조회수|목록 URL|국가중점여부|표준데이터여부';

function listRow(entry: CatalogEntry): readonly (string | number)[] {
  const isApi = entry.type === 'API';
  return [
    entry.number,
    entry.type,
    entry.title,
    entry.type === 'FILE' ? `${entry.title}_${entry.modified.replaceAll('-', '')}` : '',
    entry.category,
    entry.providerCode,
    entry.provider,
    entry.department,
    '',
    '',
    entry.updateCycle,
    '',
    '텍스트',
    entry.rows ?? '',
    entry.formats.join('+'),
    entry.keywords.join(','),
    entry.usage.toLocaleString('en-US'),
    entry.registered,
    entry.modified,
    '',
    isApi ? '' : '공공데이터포털에서 다운로드(원문파일등록)',
    entry.description,
    '예시',
    '',
    '',
    '무료',
    entry.licence,
    entry.apiType,
    isApi ? '개발계정 : 10,000 / 운영계정 : 활용사례 등록시 신청하면 트래픽 증가 가능' : '',
    isApi ? '개발단계 : 자동승인 / 운영단계 : 심의승인' : '',
    entry.views,
    `https://www.data.go.kr/data/${entry.number}/${pageNameOf(entry.type)}.do`,
    'N',
    entry.type === 'STD' ? 'Y' : 'N',
  ];
}

/** Name of the page of a dataset in its URL. */
export function pageNameOf(type: CatalogEntry['type']): string {
  return { FILE: 'fileData', API: 'openapi', STD: 'standard', LINKED: 'linkedData' }[type];
}
