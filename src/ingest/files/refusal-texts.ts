import type { BilingualText } from '../../contract/language.ts';

/** Sentences of the refusals of files, in both languages. `name` is that of the file, or of a member of an archive. */
export const refusalTexts = {
  empty: (name: string) =>
    text(`${name}: 비어 있습니다. 다시 내려받으세요.`, `${name} is empty; download it again.`),
  onlyBlanks: (name: string) =>
    text(
      `${name}: 빈칸뿐입니다. 다시 내려받으세요.`,
      `${name} contains only blanks; download it again.`,
    ),
  noMembers: (name: string) =>
    text(`${name}: 압축 파일 안에 파일이 없습니다.`, `${name} has no members.`),
  notFile: (path: string, kind: BilingualText) =>
    text(
      `${path}: 파일이 아니라 ${kind.ko}입니다. 데이터 파일을 지정하세요.`,
      `${path} is ${kind.en}, not a file; name a data file.`,
    ),
  gone: (path: string) =>
    text(
      `${path}: 읽는 동안 파일이 없어졌습니다. 저장이 끝난 뒤 다시 불러오세요.`,
      `${path} changed while it was read (it is gone); wait until it is written and load it again.`,
    ),
  changed: (path: string, before: bigint, after: bigint) =>
    text(
      `${path}: 읽는 동안 파일이 바뀌었습니다(${before}바이트에서 ${after}바이트). 저장이 끝난 뒤 다시 불러오세요.`,
      `${path} changed while it was read (${before} bytes, then ${after}); wait until it is written and load it again.`,
    ),
  document: (name: string, kind: BilingualText) =>
    text(
      `${name}: 데이터가 아니라 ${kind.ko}입니다. ${documentAdvice.ko}`,
      `${name} is ${kind.en}, not data; ${documentAdvice.en}`,
    ),
  documents: (name: string, members: readonly string[]) =>
    text(
      `${name}: 데이터 없이 문서만 있습니다(${listOf(members, membersShown, 'ko')}). ${documentAdvice.ko}`,
      `${name} has documents and no data (${listOf(members, membersShown, 'en')}); ${documentAdvice.en}`,
    ),
  otherFormat: (name: string, kind: BilingualText) =>
    text(
      `${name}: ${kind.ko}은(는) 지원하지 않습니다. 표를 CSV나 XLSX로 내보내세요.`,
      `${name} is ${kind.en}, which is not supported; export the table as CSV or XLSX.`,
    ),
  desktopFile: (name: string) =>
    text(
      `${name}: 데이터가 아니라 운영체제가 만든 파일입니다.`,
      `${name} is a file of the desktop system, not data.`,
    ),
  besideShapefile: (name: string) =>
    text(
      `${name}: 같은 이름의 .dbf 파일이 압축 파일에 없습니다. .dbf를 함께 넣으세요.`,
      `${name} belongs to a shapefile whose .dbf is not in the archive; add the .dbf.`,
    ),
  noTableInside: (name: string, reasons: readonly BilingualText[]) =>
    text(
      `${name}: 표가 없습니다. ${reasons.map(({ ko }) => ko).join(' ')}`,
      `${name} has no table: ${reasons.map(({ en }) => en).join(' ')}`,
    ),
  nested: (name: string, depthMax: number) =>
    text(
      `${name}: ${depthMax}번 넘게 거듭 압축되어 있습니다. 압축을 풀고 불러오세요.`,
      `${name} is packed more than ${depthMax} times; unpack it before loading.`,
    ),
  tooManyMembers: (name: string, members: number, membersMax: number) =>
    text(
      `${name}: 안에 있는 파일이 ${members}개로, 한도 ${membersMax}개보다 많습니다. 나누어 압축하세요.`,
      `${name} has ${members} members, more than the limit of ${membersMax}; split it.`,
    ),
  memberOutside: (name: string, member: string) =>
    text(
      `${name}: 폴더 밖을 가리키는 파일이 있습니다(${member}). 믿을 수 없는 압축 파일입니다.`,
      `${name} has a member that points outside of it (${member}); do not trust this archive.`,
    ),
  someMemberOutside: (name: string) =>
    text(
      `${name}: 폴더 밖을 가리키는 파일이 있습니다. 믿을 수 없는 압축 파일입니다.`,
      `${name} has a member that points outside of it; do not trust this archive.`,
    ),
  declaredTooLarge: (name: string, bytes: number, bytesMax: number) =>
    text(
      `${name}: 압축을 풀면 ${bytes}바이트로, 한도 ${bytesMax}바이트보다 큽니다. 압축을 풀어 내용을 확인한 뒤 불러오세요.`,
      `${name} declares ${bytes} bytes, more than the limit of ${bytesMax}; unpack it and check its content before loading.`,
    ),
  inflatesTooFar: (name: string, bytesMax: number) =>
    text(
      `${name}: 압축을 풀면 ${bytesMax}바이트를 넘습니다. 압축을 풀어 내용을 확인한 뒤 불러오세요.`,
      `${name} inflates to more than ${bytesMax} bytes; unpack it and check its content before loading.`,
    ),
  inflatesTooMuch: (name: string, timesMax: number) =>
    text(
      `${name}: 압축을 풀면 크기가 ${timesMax}배를 넘습니다. 압축을 풀어 내용을 확인한 뒤 불러오세요.`,
      `${name} inflates to more than ${timesMax} times its size; unpack it and check its content before loading.`,
    ),
  archiveTooLarge: (name: string, bytesMax: number) =>
    text(
      `${name}: 압축 파일과 통합 문서의 한도 ${bytesMax}바이트보다 큽니다. 압축을 풀거나 CSV로 저장하세요.`,
      `${name} is larger than ${bytesMax} bytes, the limit for archives and workbooks; unpack it, or save it as CSV.`,
    ),
  workbookTooLarge: (name: string, bytes: number, bytesMax: number) =>
    text(
      `${name}: 압축을 풀면 ${bytes}바이트로, 통합 문서의 한도 ${bytesMax}바이트보다 큽니다. 시트를 CSV로 저장하세요.`,
      `${name} inflates to ${bytes} bytes; the limit for a workbook is ${bytesMax}. Save its sheets as CSV.`,
    ),
  memberEncrypted: (name: string) =>
    text(
      `${name}: 암호가 걸려 있습니다. 압축을 풀고 안의 파일을 불러오세요.`,
      `${name} is protected by a password; unpack it and load its files.`,
    ),
  workbookEncrypted: (name: string) =>
    text(
      `${name}: 암호가 걸려 있습니다. 암호 없이 저장해 다시 불러오세요.`,
      `${name} is protected by a password; save it without one and load it again.`,
    ),
  checksum: (name: string) =>
    text(
      `${name}: 체크섬이 맞지 않습니다. 다시 내려받으세요.`,
      `${name} does not match its checksum; download it again.`,
    ),
  zipTruncated: (name: string) =>
    text(
      `${name}: ZIP 파일이 중간에 끊겼습니다. 다시 내려받으세요.`,
      `${name} ends before its ZIP directory; download it again.`,
    ),
  notZip: (name: string, reason: string) =>
    text(
      `${name}: ZIP 파일로 읽을 수 없습니다. 다시 내려받으세요.`,
      `${name} is not a readable ZIP file (${reason}); download it again.`,
    ),
  gzipTruncated: (name: string) =>
    text(
      `${name}: gzip 파일이 중간에 끊겼습니다. 다시 내려받으세요.`,
      `${name} ends before its gzip data does; download it again.`,
    ),
  notGzip: (name: string) =>
    text(
      `${name}: gzip 파일로 읽을 수 없습니다. 다시 내려받으세요.`,
      `${name} is not valid gzip; download it again.`,
    ),
  notWorkbook: (name: string) =>
    text(
      `${name}: 통합 문서로 읽을 수 없습니다. 다시 내려받으세요.`,
      `${name} is not a readable workbook; download it again.`,
    ),
  noSheets: (name: string) =>
    text(
      `${name}: 읽을 수 있는 시트가 없는 오피스 문서입니다. 표를 XLSX나 CSV로 저장하세요.`,
      `${name} is an Office document without readable sheets; save the table as XLSX or CSV.`,
    ),
  sheetsEmpty: (name: string, sheets: readonly string[]) =>
    text(
      `${name}: 셀이 있는 시트가 없습니다. 시트: ${sheets.join(', ')}`,
      `${name} has no sheet with cells; it has: ${sheets.join(', ')}.`,
    ),
  sheetMissing: (name: string, sheet: string, sheets: readonly string[]) =>
    text(
      `${name}: ‘${sheet}’ 시트가 없습니다. 시트: ${sheets.join(', ')}`,
      `${name} has no sheet named ${sheet}; it has: ${sheets.join(', ')}.`,
    ),
  sheetTooLarge: (name: string, sheet: string, columnsMax: number) =>
    text(
      `${name}: 시트 ${sheet}에 1,048,576행 또는 ${columnsMax}열을 넘는 셀이 있습니다. 표 밖의 셀을 지우고 다시 불러오세요.`,
      `${name} has a cell in the sheet ${sheet} past row 1,048,576 or column ${columnsMax}; delete the cells outside the table and load it again.`,
    ),
  archivedPageWithoutTable: (name: string) =>
    text(
      `${name}: 표가 없는 웹 보관 파일(MHTML)입니다.`,
      `${name} is a web archive (MHTML) without a table.`,
    ),
  documentTooLong: (name: string, unitsMax: number) =>
    text(
      `${name}: ${unitsMax}자보다 깁니다. CSV로 저장하세요.`,
      `${name} is longer than ${unitsMax} characters; save it as CSV.`,
    ),
  webPage: (name: string) =>
    text(
      `${name}: 데이터가 아니라 웹 페이지입니다. 로그인했는지 확인하고 다시 내려받으세요.`,
      `${name} is a web page, not data: the portal sends one if a download needs a login or has failed. Download it again.`,
    ),
  portalError: (name: string, code: string, message: string, meaning: BilingualText) => {
    const detail = message === '' ? '' : ` (${message})`;
    return text(
      `${name}: 데이터가 아니라 포털의 오류 응답 ${code}${detail}입니다. 뜻: ${meaning.ko}. 해결한 뒤 파일을 다시 내려받으세요.`,
      `${name} is not data but the portal's response ${code}${detail}: ${meaning.en}. Solve this, then download the file again.`,
    );
  },
  noRecords: (name: string) =>
    text(
      `${name}: 레코드가 없는 정상 응답입니다. 다른 조건으로 다시 요청하세요.`,
      `${name} is a valid response with no records; request it again with other parameters.`,
    ),
  lettersLost: (name: string) =>
    text(
      `${name}: 인코딩을 잘못 읽어 글자가 깨진 채 저장된 파일입니다. 원본 파일을 구하세요.`,
      `${name} has lost its letters: a program read it in a wrong encoding and saved U+FFFD for them. Get the original file.`,
    ),
  binary: (name: string) =>
    text(
      `${name}: 텍스트도 지원하는 형식도 아닙니다. 열어서 CSV나 XLSX로 내보내세요.`,
      `${name} is neither text nor a supported format; open it and export CSV or XLSX.`,
    ),
  nulBytes: (name: string) =>
    text(
      `${name}: 텍스트가 있어야 할 곳에 NUL 바이트가 있습니다. 알 수 없는 형식이거나 손상된 파일입니다. CSV나 XLSX로 내보내세요.`,
      `${name} has NUL bytes where text is expected: the format is unknown or the file is damaged. Export CSV or XLSX.`,
    ),
  prose: (name: string) =>
    text(`${name}: 표가 없는 글입니다.`, `${name} is a text of sentences and has no table.`),
  printedReport: (name: string) =>
    text(
      `${name}: 쪽마다 머리글이 있는 인쇄용 보고서입니다. 표를 CSV나 XLSX로 내보내세요.`,
      `${name} is a report that was made for a printer, with a heading on each page; export its table as CSV or XLSX.`,
    ),
  spooledColumns: (name: string) =>
    text(
      `${name}: 데이터베이스 프로그램의 출력에 다른 열이 더 있거나 한 행이 여러 줄입니다. ${spooledAdvice.ko}`,
      `${name} is a report of a database client that has other columns too, or rows of several lines; ${spooledAdvice.en}`,
    ),
  spooledCount: (name: string, declared: string, rows: number) =>
    text(
      `${name}: 데이터베이스 프로그램의 출력에 ${declared}행이라고 적혀 있지만 ${rows}행이 있습니다. ${spooledAdvice.ko}`,
      `${name} is a report of a database client that counts ${declared} rows, but has ${rows} lines of them; ${spooledAdvice.en}`,
    ),
  tableTooWide: (columnsMax: number) =>
    text(
      `표의 열이 ${columnsMax}개보다 많습니다. 여러 파일로 나누세요.`,
      `The table has more than ${columnsMax} columns; split it into several files.`,
    ),
  lineTooLong: (unitsMax: number) =>
    text(
      `한 줄이 ${unitsMax}자보다 길어 표가 아닙니다.`,
      `A line is longer than ${unitsMax} characters: this is no table.`,
    ),
  delimitedLineTooLong: (line: number, unitsMax: number) =>
    text(
      `${line}번째 줄이 ${unitsMax}자보다 길어 구분자로 나눈 텍스트가 아닙니다.`,
      `Line ${line} is longer than ${unitsMax} characters: this is not delimited text.`,
    ),
  dbfHeaderTruncated: (name: string) =>
    text(
      `${name}: 머리글이 중간에 끊겼습니다. 다시 내려받으세요.`,
      `${name} ends inside its header; download it again.`,
    ),
  dbfFields: (name: string, fieldBytes: number, recordBytes: number) =>
    text(
      `${name}: 필드는 ${fieldBytes}바이트인데 레코드는 ${recordBytes}바이트입니다. 다시 내려받으세요.`,
      `${name} has fields of ${fieldBytes} bytes in records of ${recordBytes}; download it again.`,
    ),
  dbfTruncated: (name: string, records: number, declared: number) =>
    text(
      `${name}: 레코드 ${declared}개 중 ${records}개에서 끊겼습니다. 다시 내려받으세요.`,
      `${name} ends after ${records} of ${declared} records; download it again.`,
    ),
  notShapefile: (name: string) =>
    text(
      `${name}: SHP 파일이 아닙니다. 다시 내려받으세요.`,
      `${name} is not a shapefile; download it again.`,
    ),
  notParquet: (name: string) =>
    text(
      `${name}: Parquet 파일로 읽을 수 없습니다. 다시 내려받으세요.`,
      `${name} is not a readable Parquet file; download it again.`,
    ),
  parquetColumns: (name: string, columns: number, columnsMax: number) =>
    text(
      `${name}: 값이 단순한 열이 ${columns}개입니다. 1개 이상 ${columnsMax}개 이하로 저장하세요.`,
      `${name} has ${columns} columns with plain values; save the table with at least one and at most ${columnsMax}.`,
    ),
  parquetCodec: (name: string, codec: string) =>
    text(
      `${name}: ${codec} 압축은 지원하지 않습니다. Snappy, GZIP, ZSTD 중 하나로 저장하세요.`,
      `${name} is compressed by ${codec}, which is not supported; save it with Snappy, GZIP or ZSTD.`,
    ),
  parquetGroupTooLarge: (name: string, column: string, bytes: bigint, bytesMax: number) =>
    text(
      `${name}: ${column} 열의 행 그룹이 ${bytes}바이트로, 한도 ${bytesMax}바이트보다 큽니다. 행 그룹을 작게 나누어 저장하세요.`,
      `${name} has a row group with ${bytes} bytes in the column ${column}, more than ${bytesMax}; save it with smaller row groups.`,
    ),
} as const;

const documentAdvice = text(
  '포털에서 같은 데이터셋의 CSV나 XLSX 파일을 찾거나, 문서의 표를 XLSX나 CSV로 저장하세요.',
  'look on the portal for a CSV or XLSX file of the same dataset, or save the table of the document as XLSX or CSV.',
);
const spooledAdvice = text(
  'CSV로 내보내세요(SQL*Plus에서는 SET MARKUP CSV ON).',
  'export it as CSV (in SQL*Plus: SET MARKUP CSV ON).',
);

/** The first names, and how many more there are. */
export function listOf(names: readonly string[], namesMax: number, language: 'ko' | 'en'): string {
  const shown = names.slice(0, namesMax).join(', ');
  const others = names.length - namesMax;
  if (others <= 0) return shown;
  return language === 'ko' ? `${shown} 외 ${others}개` : `${shown}, and ${others} more`;
}

const membersShown = 5;

function text(ko: string, en: string): BilingualText {
  return { ko, en };
}
