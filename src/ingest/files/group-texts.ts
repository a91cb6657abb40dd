import type { BilingualText } from '../../contract/language.ts';

/** Sentences about names, titles and numbers that seem to belong to groups of rows, in both languages. */
export const groupTexts = {
  groupUnclear: (column: string) =>
    text(
      `${column}: 묶음의 첫 행에만 적힌 이름으로 보입니다. 빈 셀은 null로 두었습니다. 아래 행도 같은 값이면 원본에서 셀 병합을 풀고 채워 다시 불러오세요.`,
      `${column} seems to be written in the first row of each group only; its blank cells are null. If the rows below have the same value, fill them in the source and load again.`,
    ),
  subtitleUnclear: (title: string) =>
    text(
      `첫 셀만 있는 ‘${title}’ 같은 행은 아래 행들의 제목으로 보입니다. 레코드로 읽었으니, 제목을 열로 옮겨 다시 불러오세요.`,
      `Rows with a first cell only, such as ${title}, seem to be titles of the rows below. They were read as records; write the titles into a column and load again.`,
    ),
  recordUnclear: (column: string) =>
    text(
      `${column}: 번호가 일정한 간격으로만 있어 레코드 하나가 여러 행에 나뉜 것으로 보입니다. 행마다 레코드로 읽었습니다. 한 행으로 합쳐 다시 불러오세요.`,
      `${column} has a number in every second or third row only, so that a record may be several rows; each row was read as a record. Write each record as one row and load again.`,
    ),
};

function text(ko: string, en: string): BilingualText {
  return { ko, en };
}
