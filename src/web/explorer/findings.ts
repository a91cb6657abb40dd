import type { BilingualText, Language } from '../../contract/language.ts';
import { koreanDay } from '../../data/korean-time.ts';
import { html, type Html } from '../html.ts';
import { formatNumber } from '../layout.ts';
import type { DatasetView } from './dataset-view.ts';

/** Findings of the last collection or load of a dataset. */
export function findingSection({ stored, words, language }: DatasetView): Html {
  const findings = stored.quality?.findings ?? [];
  return html`<section aria-labelledby="findings">
    <h2 id="findings">${words.findings}</h2>
    ${
      findings.length === 0
        ? html`<p>${words.noFindings}</p>`
        : html`<ul>
            ${findings.map(({ kind, count, since }) => {
              const name = findingName(kind, language);
              return html`<li>${words.finding(name, formatNumber(count), koreanDay(since))}</li>`;
            })}
          </ul>`
    }
  </section>`;
}

/** Name of a kind of finding for readers; an unknown kind is shown as it is. */
export function findingName(kind: string, language: Language): string {
  return findingNames[kind]?.[language] ?? kind;
}

const findingNames: Readonly<Record<string, BilingualText>> = {
  row_wider: text('머리글보다 넓은 행', 'Rows wider than the header'),
  row_narrower: text('머리글보다 좁은 행', 'Rows narrower than the header'),
  row_unreadable: text('읽을 수 없는 행', 'Rows that cannot be read'),
  row_deleted: text('삭제 표시된 행', 'Records marked as deleted'),
  row_blank: text('빈 행', 'Blank rows'),
  row_total: text('합계 행', 'Totals among the records'),
  title_line: text('제목 줄', 'Lines above the header'),
  title_missing: text('제목이 없는 파일', 'Files without a title'),
  header_repeated: text('반복된 머리글', 'Repeated headers'),
  column_renamed: text('새 이름을 붙인 열', 'Columns with a new name'),
  row_note: text('각주', 'Footnotes'),
  quote_broken: text('깨진 따옴표', 'Broken quotes'),
  json_mended: text('고쳐 읽은 JSON', 'Repaired JSON'),
  markup_broken: text('깨진 태그', 'Broken tags'),
  escapes_removed: text('제거한 HTML 이스케이프', 'Removed HTML escapes'),
  cell_filled: text('위 셀로 채운 지역', 'Regions filled from above'),
  encoding_mixed: text('인코딩이 섞인 줄', 'Lines in mixed encodings'),
  mojibake: text('복원한 깨진 글자', 'Restored mojibake'),
  character_unreadable: text('읽을 수 없는 글자', 'Characters that cannot be read'),
  date_impossible: text('달력에 없는 날짜', 'Dates that do not exist'),
  date_odd: text('확인이 필요한 날짜', 'Odd dates'),
  digits_lost: text('뒷자리를 잃은 수', 'Numbers without their last digits'),
  value_odd: text('형식이 다른 값', 'Values of another type'),
  coordinate_odd: text('확인이 필요한 좌표', 'Odd coordinates'),
  coordinates_odd: text('나라 밖의 좌표', 'Positions outside the country'),
  coordinates_abroad: text('나라 밖의 좌표', 'Positions outside the country'),
  sido_assumed: text('추정한 시도', 'Assumed provinces'),
  pages_missing: text('빠진 페이지', 'Missing pages'),
  geometry_not_held: text('가져오지 않은 도형', 'Shapes that are not imported'),
  geometry_projected: text('다른 좌표계의 도형', 'Shapes in other coordinates'),
  formula_without_value: text('계산되지 않은 수식', 'Formulas without a value'),
  part_not_held: text('가져오지 않은 부분', 'Parts that are not imported'),
  read_oddly: text('짐작해서 읽은 부분', 'Parts read by a guess'),
  no_records: text('빈 응답이라 이전 자료를 유지', 'Empty response, previous data kept'),
  rows_lost: text('레코드가 크게 줄어 이전 자료를 유지', 'Many records lost, previous data kept'),
  rows_lost_twice: text('레코드가 크게 줄어듦', 'Many records lost'),
  fields_missing: text('빠진 필드가 있어 이전 자료를 유지', 'Fields missing, previous data kept'),
  fields_new: text('새로 생긴 필드', 'New fields'),
  position_computed: text('위도와 경도로 바꾼 좌표', 'Positions computed from plane coordinates'),
  no_records_yet: text('모든 응답이 비어 있음', 'Every response is empty'),
  answers_same: text('요청마다 같은 응답', 'The same answer to every request'),
  answers_crossed: text(
    '다른 요청의 응답이라 이전 자료를 유지',
    'Answers of other requests, previous data kept',
  ),
  few_answers_crossed: text('다른 요청의 응답', 'Answers of other requests'),
  duplicate_keys: text('키가 같은 다른 레코드', 'Different records of one key'),
  many_refused: text(
    '거절된 요청이 많아 이전 자료를 유지',
    'Many requests refused, previous data kept',
  ),
  few_refused: text('거절된 요청', 'Requests refused'),
  keys_merged: text('키가 같아 하나만 저장한 레코드', 'Records of one key, the first kept'),
  text_damaged: text('깨진 글자가 있는 레코드', 'Records with damaged text'),
  text_lost: text('깨진 글자가 많아 이전 자료를 유지', 'Much damaged text, previous data kept'),
  count_mismatch: text('포털의 건수와 다름', 'Another count than the portal’s'),
  rows_partly_missing: text('포털의 건수보다 적은 레코드', 'Fewer records than the portal counts'),
  rows_missing: text('빠진 레코드가 있어 이전 자료를 유지', 'Records missing, previous data kept'),
  rows_mostly_missing: text('레코드가 대부분 빠짐', 'Most records are missing'),
  rows_refused: text('레코드가 아닌 행', 'Rows that are no records'),
  values_unreadable: text('읽을 수 없어 비워 둔 값', 'Values left out as unreadable'),
  ladder_gap: text('서로 너무 먼 기준 검색어', 'Anchor keywords too far apart'),
  list_moved: text('수집하는 동안 바뀐 목록', 'A list that changed meanwhile'),
  not_collected: text('수집을 끝내지 못함', 'Collection not completed'),
  waiting_for_quota: text('호출 한도를 다 써 대기 중', 'Waiting for the quota'),
  agency_hosted: text('제공 기관 누리집에만 있는 파일', 'File on the agency’s own site alone'),
  restricted: text('로그인이 필요한 파일', 'File that requires a sign-in'),
  no_file: text('포털에 파일이 없음', 'No file on the portal'),
  unreadable: text('내려받은 파일을 읽을 수 없음', 'The downloaded file cannot be read'),
  tables_gone: text('새 파일에 없는 표', 'Tables gone from the file'),
  history_incomplete: text('내려받지 못한 이전 버전', 'Earlier versions not downloaded'),
  regions_unknown: text('지역을 알 수 없는 레코드', 'Records without a region'),
};

function text(ko: string, en: string): BilingualText {
  return { ko, en };
}
