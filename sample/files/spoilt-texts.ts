import { randomFor } from '../seeded-random.ts';
import { districts, sidos } from '../place.ts';
import { coinedWord } from '../words.ts';
import { placesTable } from './tables.ts';
import { cp949Style, encodeText, textFile, utf8BomStyle, type Cells } from './text-file.ts';
import { zipOf } from './zip.ts';

/** A ZIP with a CSV file in CP949 for each sido; the file names are in CP949, too. */
export function cameraZip(seed: number, perSido: number): Buffer {
  return zipOf(
    sidos.map((sido) => {
      const sidoDistricts = districts.filter((district) => district.sido === sido);
      const table = placesTable(seed, 'file_camera', perSido, sidoDistricts);
      const bytes = textFile([table.header, ...table.rows], cp949Style);
      return { name: `예시_CCTV_${sido.name}.csv`, bytes };
    }),
  );
}

/** Rows shorter and longer than the header, columns without a name, line breaks and quotes in cells. */
export function raggedCsv(seed: number, count: number): Buffer {
  const rows = Array.from({ length: count }, (_, index) => {
    const random = randomFor(seed, 'tree', index);
    const row = [
      index + 1,
      random.pick(districts).name,
      random.pick(['은행나무', '느티나무', '왕벚나무']),
      random.whole(1, 400),
      random.chance(0.2) ? `관리 "양호"\n(예시 ${index})` : '관리 양호',
      '',
      '',
    ];
    if (index % 37 === 5) return row.slice(0, 3);
    return index % 41 === 6 ? [...row, '비고', '넘침'] : row;
  });
  const cells: Cells = [
    ['연번', '시군구', '수종', '그루수', '상태', '', ''],
    ...rows,
    ['', '', ''],
    [],
  ];
  return textFile(cells, cp949Style);
}

/** Two columns of the same name, line breaks and units in headers, `-` and words for missing numbers. */
export function duplicateHeaderCsv(seed: number, count: number): Buffer {
  const rows = Array.from({ length: count }, (_, index) => {
    const random = randomFor(seed, 'price', index);
    const price = (): string =>
      random.chance(0.1)
        ? random.pick(['-', '–', '해당없음', 'N/A'])
        : (random.whole(20, 200) * 100).toLocaleString('en-US');
    return [
      random.pick(districts).sido.name,
      `${coinedWord(random)}식당(예시)`,
      random.pick(['김치찌개', '칼국수', '백반']),
      price(),
      random.pick(['냉면', '비빔밥', '']),
      price(),
      `${random.whole(10, 99)}%`,
      `\u3000${random.whole(1, 50)}\u00A0`,
    ];
  });
  const header = '시도,업소명,품목,가격(원),품목,가격(원),할인율,좌석수\n(석)'.split(',');
  return textFile([header, ...rows], utf8BomStyle);
}

/** A total after every tenth row and at the end, notes under the table; UTF-8 without a byte order mark. */
export function totalsCsv(seed: number, count: number): Buffer {
  const rows: (string | number)[][] = [];
  let total = 0;
  let subtotal = 0;
  for (let index = 0; index < count; index++) {
    const random = randomFor(seed, 'complaint', index);
    const cases = random.whole(3, 900);
    total += cases;
    subtotal += cases;
    rows.push([`${2016 + (index % 10)}년 ${1 + (index % 12)}월`, `${coinedWord(random)}과`, cases]);
    if (index % 10 === 9) {
      rows.push(['소계', '', subtotal]);
      subtotal = 0;
    }
  }
  const cells: Cells = [
    ['처리월', '부서', '건수'],
    ...rows,
    ['합계', '', total],
    ['※ 예시 파일', '', ''],
  ];
  return textFile(cells, { encoding: 'utf8', newline: '\n', separator: ',' });
}

/** JSON with `fields` and `records`, the format of the standard data. */
export function stopsJson(seed: number, count: number): Buffer {
  const { header, rows } = placesTable(seed, 'file_stop', count);
  const records = rows.map((row) =>
    Object.fromEntries(header.map((name, position) => [name, String(row[position])])),
  );
  return Buffer.from(JSON.stringify({ fields: header.map((id) => ({ id })), records }));
}

/** XML that is not well-formed: its element names are header cells, some with parentheses. */
export function schoolsXml(seed: number, count: number): Buffer {
  const { header, rows } = placesTable(seed, 'file_school', count);
  const records = rows.map(
    (row) =>
      `<record>${header.map((name, index) => `<${name}>${row[index]}</${name}>`).join('')}</record>`,
  );
  return encodeText(
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<dataGrid>\n<records>${records.join('\n')}</records>\n</dataGrid>\n`,
    'utf8',
  );
}

/** An HTML table in a file named .xls. */
export function htmlXls(seed: number, count: number): Buffer {
  const { header, rows } = placesTable(seed, 'file_nursery', count);
  return encodeText(
    `<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"></head><body><table border="1">${htmlRow(header, 'th')}${rows.map((row) => htmlRow(row, 'td')).join('\n')}</table></body></html>`,
    'utf8',
  );
}

/** Lines that end in a bare CR, and syllables that only CP949 has (뷁, 똠, 펲). */
export function carriageReturnCsv(seed: number, count: number): Buffer {
  const rows = Array.from({ length: count }, (_, index) => {
    const random = randomFor(seed, 'road', index);
    return [
      `R${String(index + 1).padStart(6, '0')}`,
      `${random.pick(['뷁', '똠', '펲', '쌰'])}${coinedWord(random)}로(예시)`,
      random.whole(20, 9000),
    ];
  });
  return textFile([['도로번호', '도로명', '연장(m)'], ...rows], {
    encoding: 'cp949',
    newline: '\r',
    separator: ',',
  });
}

/** UTF-16 with tabs, which Excel calls Unicode text. */
export function unicodeText(seed: number, count: number): Buffer {
  const { header, rows } = placesTable(seed + 1, 'file_parking', count);
  return textFile([header, ...rows], {
    encoding: 'utf16le-bom',
    newline: '\r\n',
    separator: '\t',
  });
}

function htmlRow(cells: readonly (string | number)[], tag: 'th' | 'td'): string {
  return `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
}
