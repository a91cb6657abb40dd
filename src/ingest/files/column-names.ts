/** Names of the columns of a table: unique and not empty. */
export interface ColumnNames {
  readonly columns: readonly string[];
  /** Names that were generated, cut or made unique. */
  readonly renamed: readonly string[];
}

/**
 * Names the columns of a table. A nameless one becomes `열3` by its position, one beyond the header `추가열1`, and a
 * repeated one `이름_2`. A generated name never equals an existing one. A long name is cut, because each record repeats it.
 */
export function nameColumns(names: readonly (string | null)[], surplus = 0): ColumnNames {
  const existing = new Set(names);
  const used = new Set<string>();
  const renamed: string[] = [];
  const columns: string[] = [];
  const allNames = [
    ...names,
    ...Array.from({ length: surplus }, (_, index) => `추가열${index + 1}`),
  ];
  for (const [index, name] of allNames.entries()) {
    const base = cutName(name ?? `열${index + 1}`);
    let unique = base;
    const collides = (text: string): boolean =>
      used.has(text) || (text !== name && existing.has(text));
    for (let copy = 2; collides(unique); copy++) unique = `${base}_${copy}`;
    if (unique !== name || index >= names.length) renamed.push(unique);
    used.add(unique);
    columns.push(unique);
  }
  return { columns, renamed };
}

/** Cuts a name of more than 200 UTF-16 units; it ends with an ellipsis. */
export function cutName(name: string): string {
  if (name.length <= nameUnitsMax) return name;
  return `${name.slice(0, nameUnitsMax - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** True for a name that `cutName` cut, and for it after it was made unique. */
export function isCutName(name: string): boolean {
  return name.length >= nameUnitsMax - 1 && /…(?:_\d+)?$/u.test(name);
}

const nameUnitsMax = 200;

/** True for a name that was generated for a nameless column or for one beyond the header. */
export function isGeneratedName(name: string): boolean {
  return /^(?:추가)?열\d+(?:_\d+)?$/u.test(name);
}

/** A key that is equal for the same columns in any order. */
export function columnsKey(columns: readonly string[]): string {
  return JSON.stringify(columns.toSorted());
}

/**
 * Header cell as one line. A line break inside a Korean word or before a bracket is removed (`대여소⏎번호`); any other
 * becomes a blank. A mark of a remark at the start, as in `# TM`, is removed.
 */
export function headerText(cell: string): string {
  return cell
    .replaceAll('\ufeff', '')
    .replace(/^#\s+(?=\S)/u, '')
    .replace(/(?<=[가-힣])[ \t]*[\r\n]+[ \t]*(?=[가-힣([{（])/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** Unit in a header cell such as `면적(㎡)` or `[천원]`; null if there is none. */
export function unitOf(name: string): string | null {
  const match = /[([（［]\s*(?:단위\s*[:：]?\s*)?([^()[\]（）［］]{1,12}?)\s*[)\]）］]\s*$/u.exec(
    endOf(name),
  );
  const unit = match?.[1];
  return unit !== undefined && isUnit(unit) ? unit : null;
}

/** Unit in a line such as `단위: 천원`; null if there is none. */
export function unitOfLine(line: string): string | null {
  const match = /단위\s*[:：]\s*([^\s()[\],，、·/]{1,12})\s*[)\]）］]?\s*$/u.exec(endOf(line));
  return match?.[1] ?? null;
}

/** End of a text in which a unit may stand. Blanks in a longer one would take quadratic time. */
function endOf(text: string): string {
  return text.trimEnd().slice(-unitEndMax);
}

const unitEndMax = 60;

/** True for a text that is a unit by itself. */
export function isUnit(text: string): boolean {
  return units.has(text.toLowerCase());
}

const units: ReadonlySet<string> = new Set(
  (
    '명 인 원 천원 만원 백만원 억원 % 퍼센트 ㎡ m² m2 ㎢ km² km2 km ㎞ m cm ㎝ mm ㎜ ㎥ m³ m3 ha kg ㎏ g t 톤 ' +
    '천톤 ℓ l kl ㎘ kwh mwh gwh kw mw toe ppm ㎍/㎥ μg/m³ ㎎/l ℃ °c db lx hpa m/s km/h ㎞/h 분 초 시간 일 ' +
    '개월 년 회 건 개 개소 곳 대 호 세대 가구 층 면 권 종 책 필지 평 석 실 병상 마리 그루 본 매 척 편 과목 학급 ' +
    '천명 만명 천대'
  ).split(' '),
);
