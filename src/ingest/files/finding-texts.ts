import type { BilingualText } from '../../contract/language.ts';
import type { FieldType } from '../../data/axis.ts';
import type { Misreading } from './misread-text.ts';
import type { PartHeader } from './part-header.ts';

/** Sentences of the findings about a file, in both languages. */
export const findingTexts = {
  rowBlank: () => text('빈 행입니다.', 'The row is blank.'),
  deleted: () =>
    text(
      '삭제 표시가 있어 가져오지 않았습니다.',
      'The record is marked as deleted and not imported.',
    ),
  recordFlag: (flag: number) =>
    text(
      `레코드가 알 수 없는 표시(${flag})로 시작합니다.`,
      `The record begins with the unknown mark ${flag}.`,
    ),
  columnType: (column: string, type: string) =>
    text(
      `${column} 열은 ${type} 형식이라 가져오지 않았습니다. 값이 다른 파일에 있거나 이진 값입니다.`,
      `The column ${column} has the type ${type} and is not imported: its values are in another file, or binary.`,
    ),
  headerRepeated: () =>
    text(
      '머리글이 반복된 행이라 가져오지 않았습니다.',
      'The row repeats the header and is not imported.',
    ),
  headerInherited: (first: string, part: string | null) =>
    text(
      `${part === null ? '' : `${part}: `}머리글 행이 없어 ${first}의 머리글로 읽었습니다.`,
      `${part === null ? 'The part' : part} has no header row; it was read with the header of ${first}.`,
    ),
  headerUnclear: (names: readonly string[], first: PartHeader, part: string | null) =>
    text(
      `${part === null ? '' : `${part}: `}첫 행을 머리글로 읽었습니다: ${listOf(names)}. 앞의 표(${first.name})와 열 수는 같고 이름은 다릅니다. 이 행이 레코드라면 위에 그 표의 머리글(${listOf(first.columns)})을 넣어 다시 불러오세요.`,
      `${part === null ? 'The' : `${part}: the`} first row was read as the header: ${listOf(names)}. There are as many columns as in ${first.name}, with other names. If the row is a record, add the header of that table above it (${listOf(first.columns)}) and load again.`,
    ),
  headerChanged: (cells: readonly string[]) =>
    text(
      `다른 머리글로 보이는 행입니다: ${listOf(cells)}. 레코드로 읽었습니다. 아래 행의 값은 다른 열에 있을 수 있으니, 머리글이 바뀌는 곳에서 파일을 나누어 다시 불러오세요.`,
      `The row seems to be another header: ${listOf(cells)}. It was read as a record, and cells below it may be under other names. Split the file where its header changes and load it again.`,
    ),
  stackedUnclear: () =>
    text(
      '한 열뿐인 글에 열 이름이 여럿이거나 숫자와 글이 섞여 있습니다. 표를 한 줄에 한 칸씩 붙여 넣은 파일이라면 열을 나누어 CSV나 XLSX로 저장해 다시 불러오세요.',
      'The text is one column, with several names of columns or with numbers among texts. If it is a table with one cell a line, save it as CSV or XLSX with columns and load it again.',
    ),
  sidesUnclear: ([left, right]: readonly [string, string], place: string | null) =>
    text(
      `${place === null ? '' : `${place}: `}빈 열 양쪽을 한 표로 읽었습니다: ${left} …, ${right} …. 서로 다른 두 표라면 시트나 파일을 나누어 다시 불러오세요.`,
      `${place === null ? 'Both' : `${place}: both`} sides of a blank column were read as one table: ${left} …, ${right} …. If they are two tables, put each in a sheet or file of its own and load again.`,
    ),
  secondNames: (names: readonly string[]) =>
    text(
      `머리글 아래에 다른 언어나 코드로 적은 이름 행이라 가져오지 않았습니다: ${names.join(', ')}`,
      `Names in another language or codes below the header are no record: ${names.join(', ')}.`,
    ),
  headerReordered: () =>
    text(
      '머리글이 다른 순서로 반복된 행이라 가져오지 않았습니다. 아래 행의 값은 이름에 맞춰 옮겼습니다.',
      'The row repeats the header in another order and is not imported; the cells below it are under their names.',
    ),
  note: (note: string) => text(`각주: ${note}`, `A footnote: ${note}`),
  total: (word: string) =>
    text(`레코드 사이의 합계 행: ${word}`, `A total among the records: ${word}`),
  regionsAdded: (from: string) =>
    text(
      `‘${from}’에 시도와 그 시군구가 함께 있어, 각 행의 시도와 시군구를 새 열에 적었습니다.`,
      `${from} has each 시도 and then its 시군구; new columns have the 시도 and the 시군구 of each row.`,
    ),
  totalWithoutName: () =>
    text(
      '레코드 사이의 합계 행: 이름은 없지만 위 행들의 합과 같습니다.',
      'A total among the records: it has no name, but its numbers are the sums of the rows above.',
    ),
  narrower: (cells: number, names: number) =>
    text(
      `열 이름은 ${names}개인데 셀은 ${cells}개입니다. 없는 셀은 null입니다.`,
      `${cells} cells under ${names} names; the missing ones are null.`,
    ),
  wider: (cells: number, names: number) =>
    text(
      `열 이름은 ${names}개인데 셀은 ${cells}개입니다. 남는 셀은 추가열1부터 있습니다.`,
      `${cells} cells under ${names} names; the surplus is in 추가열1 and on.`,
    ),
  tooWide: (cells: number, names: number) =>
    text(
      `열 이름은 ${names}개인데 셀은 ${cells}개입니다. 너무 넓어 가져오지 않았습니다.`,
      `${cells} cells under ${names} names; the row is too wide and not imported.`,
    ),
  characterUnreadable: (cell: number, value: string) =>
    text(
      `${cell}번째 셀에 문자로 읽을 수 없는 바이트가 있습니다: ${value}`,
      `Cell ${cell} has bytes that encode no character: ${value}`,
    ),
  lettersLost: (cell: number, value: string) =>
    text(
      `${cell}번째 셀은 글자가 물음표로 바뀐 값입니다. 원본 파일을 다시 내려받으세요: ${value}`,
      `Cell ${cell} has marks instead of its letters, which an encoding lost; get the original file: ${value}`,
    ),
  escapesRemoved: () =>
    text(
      '`&amp;` 같은 HTML 이스케이프를 문자로 바꾸었습니다.',
      'HTML escapes such as `&amp;` became their characters.',
    ),
  cellFilled: (column: string, value: string) =>
    text(
      `${column}: 묶음의 첫 행에만 적혀 있어 ${value}(으)로 채웠습니다.`,
      `${column} is written in the first row of a group only; filled with ${value}.`,
    ),
  markFilled: (column: string, mark: string, value: string) =>
    text(
      `${column}: 위와 같다는 표시(${mark})를 ${value}(으)로 바꾸었습니다.`,
      `${column}: the mark ${mark} for the cell above became ${value}.`,
    ),
  errorValue: (cell: number, value: string) =>
    text(
      `${cell}번째 셀은 엑셀이 값 대신 표시한 ${value}입니다. 적힌 그대로 저장했습니다. 원본에서 고쳐 다시 불러오세요.`,
      `Cell ${cell} has ${value}, which a spreadsheet shows in place of a value; it is stored as written. Correct it in the source and load again.`,
    ),
  linksNotRead: (sheet: string, links: number, example: string) =>
    text(
      `시트 ${sheet}: 셀 ${links}개의 링크 주소는 가져오지 않고 적힌 글만 가져왔습니다: ${example.slice(0, exampleUnitsMax)}. 주소가 필요하면 셀에 주소를 적어 다시 불러오세요.`,
      `The sheet ${sheet} has ${links} cells with a link; their texts are imported, such as ${example.slice(0, exampleUnitsMax)}, the addresses are not. Write the addresses into cells to have them.`,
    ),
  notesNotRead: () =>
    text('셀에 붙인 메모는 가져오지 않았습니다.', 'The comments on cells are not imported.'),
  shownScaled: (column: number, shown: string, stored: string) =>
    text(
      `${column}번째 열: 엑셀 화면에 ${shown}(으)로 줄여 표시되는 수입니다. 저장된 값 ${stored}을(를) 가져왔으니 단위를 확인하세요.`,
      `Column ${column} has numbers that Excel shows in thousands or millions, as ${shown}; they are stored as the workbook has them, ${stored}. Check the unit.`,
    ),
  escapeUnreadable: () =>
    text(
      '문자로 읽을 수 없는 이스케이프가 있어 U+FFFD로 저장했습니다.',
      'An escape encodes no character; it is stored as U+FFFD.',
    ),
  otherEncoding: (encoding: string) =>
    text(
      `이 줄만 ${encoding} 인코딩이 아니어서 따로 해석했습니다.`,
      `The line is not in ${encoding} like the others; it was decoded in its own encoding.`,
    ),
  misread: ({ encoding, example }: Misreading) => {
    const [name, written, meant] = [
      encoding === 'utf-8' ? 'UTF-8' : 'CP949',
      ...[example.written, example.meant].map((each) => each.slice(0, exampleUnitsMax)),
    ];
    return text(
      `${name} 글자를 서유럽 문자로 잘못 읽어 다시 저장한 파일입니다. 원래 글자로 되돌렸습니다: ${written} → ${meant}`,
      `The text is ${name} that was read as Latin-1 or Windows-1252 and saved again; it is restored: ${written} → ${meant}`,
    );
  },
  markup: (tags: number) =>
    text(
      `XML에 맞지 않는 태그 ${tags}개를 고쳐 읽었습니다.`,
      `${tags} tags are not valid XML and were repaired.`,
    ),
  innerQuotes: () =>
    text('문자열 안의 따옴표에 이스케이프가 없습니다.', 'Quotes inside a string were not escaped.'),
  jsonWords: () =>
    text(
      'JSON에 없는 표기를 고쳐 읽었습니다. NaN과 Infinity는 null입니다.',
      'Words or commas that JSON does not have were repaired; NaN and Infinity are null.',
    ),
  quoteNeverCloses: () =>
    text(
      '따옴표가 끝까지 닫히지 않아 그 줄만 따로 읽었습니다.',
      'A quote never closes; the line was read by itself.',
    ),
  quoteOpen: () =>
    text(
      '따옴표가 그 줄에서 닫히지 않아 줄을 따로 읽었습니다.',
      'A quote opens and does not close on its line; the line was read by itself.',
    ),
  quotesInside: () =>
    text(
      '따옴표로 묶인 셀 안의 따옴표를 그대로 읽었습니다.',
      'Quotes inside a quoted cell were kept as text.',
    ),
  quotedTwice: () => text('셀이 따옴표로 두 번 묶여 있습니다.', 'A cell is quoted twice.'),
  quoteUnpaired: () =>
    text('짝이 없는 따옴표를 그대로 읽었습니다.', 'A quote without its pair was kept as text.'),
  notRecord: (value: string) => text(`객체가 아닙니다: ${value}`, `it is not an object: ${value}`),
  invalidJson: (word: string | null, value: string) =>
    text(
      word === null ? `JSON이 아닙니다: ${value}` : `JSON 값이 아닌 ${word}: ${value}`,
      `${word === null ? 'it is not JSON' : `${word} is not a JSON value`}: ${value}`,
    ),
  formulasWithoutValue: (formulas: number) =>
    text(
      `계산된 값이 없는 수식 ${formulas}개는 null입니다. 엑셀에서 열어 저장한 뒤 다시 불러오세요.`,
      `${formulas} formulas have no calculated value and are null; open the file in Excel, save it and load it again.`,
    ),
  sheetEmpty: (sheet: string) =>
    text(`시트 ${sheet}: 비어 있습니다.`, `The sheet ${sheet} is empty.`),
  sheetHidden: (sheet: string) =>
    text(`시트 ${sheet}: 숨겨져 있습니다.`, `The sheet ${sheet} is hidden.`),
  sheetOfNotes: (sheet: string) =>
    text(
      `시트 ${sheet}: 표가 아니라 설명입니다. 필요하면 --sheet로 불러오세요.`,
      `The sheet ${sheet} has notes, and no table; --sheet imports it.`,
    ),
  sheetsNotRequested: (sheets: readonly string[]) =>
    text(
      `지정하지 않은 시트: ${sheets.join(', ')}`,
      `Not requested: the sheets ${sheets.join(', ')}.`,
    ),
  otherColumns: (rows: number, columns: readonly string[]) =>
    text(
      `${rows}행을 가져오지 않았습니다. 열이 다릅니다: ${columns.join(', ')}`,
      `Rows not imported: ${rows}; they have other columns: ${columns.join(', ')}.`,
    ),
  olderPart: (rows: number, newer: string) =>
    text(
      `${rows}행을 가져오지 않았습니다. 더 최신인 표: ${newer}`,
      `Rows not imported: ${rows}; ${newer} is newer.`,
    ),
  pagesMissing: (rows: string, declared: string) =>
    text(
      `${declared}건 중 ${rows}건입니다. 나머지는 다른 페이지에 있습니다.`,
      `${rows} of ${declared} records; the others are on other pages.`,
    ),
  nameMissing: (position: number, name: string) =>
    text(
      `${position}번째 열: 이름이 없어 ‘${name}’ 이름을 붙였습니다.`,
      `Column ${position} has no name; it is called ${name}.`,
    ),
  nameRepeated: (position: number, name: string) =>
    text(
      `${position}번째 열: 다른 열과 이름이 같아 ‘${name}’ 이름을 붙였습니다.`,
      `Column ${position} has the name of another one; it is called ${name}.`,
    ),
  nameLong: (position: number, name: string) =>
    text(
      `${position}번째 열: 이름이 길어 200자에서 잘랐습니다: ${name}`,
      `Column ${position} has a long name; it was cut after 200 characters: ${name}`,
    ),
  headerMissing: (columns: readonly string[]) =>
    text(
      `머리글 행이 없어 열에 ‘${columns[0]}’부터 ‘${columns.at(-1)}’까지 이름을 붙였습니다.`,
      `No header row was found; the columns are called ${columns[0]} to ${columns.at(-1)}.`,
    ),
  titleMissing: (name: string) =>
    text(
      `파일 이름에 제목이 없어 데이터셋 제목이 ‘${name}’입니다. --title로 제목을 지정하거나, 제목이 되는 이름의 폴더에 넣어 다시 불러오세요.`,
      `The file’s name has no title, so the dataset is called ${name}. Give one with --title, or load the file from a folder that has the title as its name.`,
    ),
  nameDateImpossible: (date: string) =>
    text(
      `파일 이름의 날짜가 달력에 없습니다: ${date}`,
      `The file’s name has the date ${date}, which does not exist.`,
    ),
  dateImpossible: (field: string, value: string) =>
    text(
      `${field}: 달력에 없는 날짜 ${value}. 원본 값 그대로 저장했습니다.`,
      `${field}: the date ${value} does not exist and is stored as written.`,
    ),
  dateZero: (field: string, value: string) =>
    text(
      `${field}: 엑셀에서 0이나 빈 값이 날짜로 바뀐 ${value}. 원본 값 그대로 저장했습니다.`,
      `${field}: ${value} is how Excel writes zero as a date; it is stored as written.`,
    ),
  dateFar: (field: string, value: string) =>
    text(
      `${field}: 먼 미래의 날짜 ${value}. 원본 값 그대로 저장했습니다.`,
      `${field}: the date ${value} is far in the future; it is stored as written.`,
    ),
  digitsLost: (field: string, value: string) =>
    text(
      `${field}: 엑셀이 15자리까지만 저장해 뒷자리를 잃은 수 ${value}. 원본 값 그대로 저장했습니다. 원본 시스템에서 이 열을 문자로 내보내세요.`,
      `${field}: ${value} lost its last digits in a spreadsheet, which keeps 15; it is stored as written. Export the column from its system as text.`,
    ),
  codeAsDate: (field: string, value: string) =>
    text(
      `${field}: 엑셀이 날짜로 바꾼 값 ${value}. 원본 값 그대로 저장했습니다. 원본 시스템에서 이 열을 문자로 내보내세요.`,
      `${field}: a spreadsheet made the date ${value} of a code; it is stored as written. Export the column from its system as text.`,
    ),
  oddText: (field: string, value: string, type: FieldType) =>
    text(
      `${field}: ${kindOf(type).ko} 아닌 값 ${value}. 원본 값 그대로 저장했습니다.`,
      `${field}: ${value} is not a ${kindOf(type).en}; it is stored as written.`,
    ),
  coordinateSwapped: (field: string, value: string) =>
    text(
      `${field}: 위도와 경도가 바뀐 값 ${value}. 원본 값 그대로 저장했습니다.`,
      `${field}: ${value} is the other coordinate; it is stored as written.`,
    ),
  coordinateOutside: (field: string, value: string) =>
    text(
      `${field}: 한국 밖의 값 ${value}. 원본 값 그대로 저장했습니다.`,
      `${field}: ${value} is outside Korea; it is stored as written.`,
    ),
  coordinateUnread: (field: string, role: string | null) =>
    role === null
      ? text(
          `${field}: 벗어난 값이 많아 좌표로 읽지 않았습니다.`,
          `${field}: too many values are odd, so the column is not read as coordinates.`,
        )
      : text(
          `${field}: 값에 따라 ${role === 'lat' ? '위도' : '경도'}로 읽었습니다.`,
          `${field}: read as ${role === 'lat' ? 'latitude' : 'longitude'}, by its values.`,
        ),
  otherCoordinates: (system: string) =>
    text(
      `좌표가 위도와 경도(WGS84)가 아니라 ${system === '' ? '알 수 없는 좌표계' : system}입니다. geometry 열에 그대로 저장했습니다.`,
      `The coordinates are not degrees of WGS84 but ${system === '' ? 'of an unknown system' : system}; the column geometry has them as they are.`,
    ),
  nestedColumn: (name: string) =>
    text(
      `${name}: 목록이나 구조로 된 열은 가져오지 않습니다. 값마다 열을 나누어 저장하면 가져옵니다.`,
      `${name}: a column of lists or structures is not imported; save it as columns of plain values.`,
    ),
  positionComputed: (x: string, y: string, system: number) =>
    text(
      `${x}, ${y}는 EPSG:${system} 좌표입니다. 위도와 경도(WGS84)로 바꾸어 lat, lon 열에 추가했습니다${isBesselSystem(system) ? '(오차 약 3m)' : ''}.`,
      `${x} and ${y} are coordinates of EPSG:${system}; lat and lon have them as degrees of WGS84${isBesselSystem(system) ? ', right to about three metres' : ''}.`,
    ),
  planeUnclear: (x: string, y: string) =>
    text(
      `${x}, ${y}는 미터 단위의 평면 좌표이지만 좌표계를 알 수 없어 그대로 두었습니다. 열 이름에 좌표계를 적으면(예: X(EPSG:5186)) 위도와 경도로 바꿉니다.`,
      `${x} and ${y} are plane coordinates of an unknown system and stay as they are. Name it in the header, such as X(EPSG:5186), to have degrees.`,
    ),
  projectedPoints: (system: string) =>
    text(
      `좌표가 위도와 경도(WGS84)가 아니라 ${system}입니다. x, y, geometry 열에 그대로 저장했습니다.`,
      `The coordinates are not degrees of WGS84 but ${system}; the columns x, y and geometry have them as they are.`,
    ),
  pointsComputed: (column: string, system: number) =>
    text(
      `${column} 열의 점은 EPSG:${system} 좌표입니다. 위도와 경도(WGS84)로 바꾸어 lon, lat 열에 추가했습니다.`,
      `The points in ${column} are coordinates of EPSG:${system}; lon and lat have them as degrees of WGS84.`,
    ),
  geometryLeft: (column: string, system: number, names: readonly string[]) => {
    const [ko, en] =
      system === 0
        ? ['알 수 없는 좌표계(SRID 없음)', 'an unknown system (it states no SRID)']
        : [`EPSG:${system}`, `EPSG:${system}`];
    return text(
      `${column} 열의 좌표는 위도와 경도(WGS84)가 아니라 ${ko}입니다. ${names.join(', ')} 열에 그대로 저장했습니다.`,
      `The coordinates in ${column} are not degrees of WGS84 but of ${en}; the new columns have them as they are: ${names.join(', ')}.`,
    );
  },
  geometryTooLong: (unitsMax: number) =>
    text(
      `도형이 한도(${unitsMax}자)보다 길어 가져오지 않았습니다. 나머지 값은 가져왔습니다.`,
      `The shape is longer than the limit of ${unitsMax} characters and not imported; the other values are.`,
    ),
  geometryUnreadable: () =>
    text(
      '도형을 읽을 수 없습니다. 나머지 값은 가져왔습니다.',
      'The shape cannot be read; the other values are imported.',
    ),
  geometryMissing: (shapes: number) =>
    text(
      `.shp 파일이 도형 ${shapes}개 뒤에 끝납니다. 그다음 레코드에는 도형이 없습니다. 다시 내려받으세요.`,
      `The .shp ends after ${shapes} shapes; the records after them have none. Download it again.`,
    ),
  sidoAssumed: (names: readonly string[], sido: string, isByTitle: boolean) =>
    text(
      `${names.join(', ')}: ${isByTitle ? '제목, 제공기관 또는 파일 이름' : '다른 이름들'}에 따라 ${sido} 지역으로 보았습니다.`,
      `${names.join(', ')}: assumed to be in ${sido}, because of ${isByTitle ? 'the title, provider or file name' : 'the other names'}.`,
    ),
} as const;

/** The sentence of a finding in both languages; a text of the file itself is the same in both. */
export function bothLanguages(detail: BilingualText | string): BilingualText {
  return typeof detail === 'string' ? { ko: detail, en: detail } : detail;
}

/** Maximum length of a word that a sentence shows. */
const exampleUnitsMax = 30;

/** Lists the first names for a sentence. */
function listOf(names: readonly string[]): string {
  const shown = names.slice(0, namesMax).map((name) => name.slice(0, exampleUnitsMax));
  return `${shown.join(', ')}${names.length > namesMax ? ' …' : ''}`;
}

/** Maximum number of names that a sentence lists. */
const namesMax = 5;

/** The word for a type; the Korean one has its particle. */
function kindOf(type: FieldType): BilingualText {
  if (type === 'date' || type === 'datetime') return text('날짜가', 'date');
  return type === 'boolean' ? text('참·거짓이', 'boolean') : text('숫자가', 'number');
}

function text(ko: string, en: string): BilingualText {
  return { ko, en };
}

/** True for the systems of the Korean datum of 1985. */
function isBesselSystem(system: number): boolean {
  return system === 2097 || system === 5174;
}
