import type { BilingualText } from '../../contract/language.ts';
import type { FindingKind } from './table.ts';

/** Names of the kinds of findings, as the report shows them. */
export const findingTitles: Readonly<Record<FindingKind, BilingualText>> = {
  row_wider: text('머리글보다 넓은 행', 'rows wider than the header'),
  row_narrower: text('머리글보다 좁은 행', 'rows narrower than the header'),
  row_unreadable: text('읽을 수 없는 행', 'rows that cannot be read'),
  row_deleted: text('삭제 표시된 행', 'records marked as deleted'),
  row_blank: text('빈 행', 'blank rows'),
  row_total: text('합계 행', 'totals among the records'),
  title_line: text('제목 줄', 'lines above the header'),
  title_missing: text('제목이 없는 파일', 'files without a title'),
  header_inherited: text('앞의 머리글로 읽은 파일·시트', 'parts with the header of the first'),
  layout_unclear: text('배치가 확실하지 않은 표', 'tables of unclear layout'),
  header_repeated: text('반복된 머리글', 'repeated headers'),
  column_renamed: text('새 이름을 붙인 열', 'columns with a new name'),
  column_added: text('덧붙인 열', 'added columns'),
  row_note: text('각주', 'footnotes'),
  quote_broken: text('깨진 따옴표', 'broken quotes'),
  json_mended: text('고쳐 읽은 JSON', 'repaired JSON'),
  markup_broken: text('깨진 태그', 'broken tags'),
  escapes_removed: text('제거한 HTML 이스케이프', 'removed HTML escapes'),
  cell_filled: text('위 셀로 채운 지역', 'regions filled from above'),
  encoding_mixed: text('인코딩이 섞인 줄', 'mixed encodings'),
  mojibake: text('복원한 깨진 글자', 'restored mojibake'),
  character_unreadable: text('읽을 수 없는 글자', 'characters that cannot be read'),
  date_impossible: text('달력에 없는 날짜', 'dates that do not exist'),
  date_odd: text('확인이 필요한 날짜', 'odd dates'),
  digits_lost: text('뒷자리를 잃은 수', 'numbers without their last digits'),
  code_as_date: text('엑셀이 날짜로 바꾼 값', 'codes that a spreadsheet made dates of'),
  value_odd: text('형식이 다른 값', 'values of another type'),
  coordinate_odd: text('확인이 필요한 좌표', 'odd coordinates'),
  sido_assumed: text('추정한 시도', 'assumed 시도'),
  pages_missing: text('다른 페이지의 레코드', 'records on other pages'),
  geometry_not_held: text('가져오지 않은 도형', 'shapes that are not imported'),
  geometry_projected: text('다른 좌표계의 위치', 'positions in other coordinates'),
  position_computed: text('계산한 위치', 'computed positions'),
  formula_without_value: text('값이 계산되지 않은 셀', 'cells without a calculated value'),
  part_not_held: text('가져오지 않은 부분', 'parts that are not imported'),
};

function text(ko: string, en: string): BilingualText {
  return { ko, en };
}
