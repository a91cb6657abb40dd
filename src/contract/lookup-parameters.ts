import type { ChoiceParameter, IntegerParameter, TextParameter } from './route.ts';

/** The code of a stored axis. */
export function axisCode() {
  return {
    kind: 'text',
    required: true,
    codes: 'axis',
    purpose: { ko: '축 코드. /api/axes에 있습니다.', en: 'Code of the axis, from /api/axes.' },
  } as const satisfies TextParameter;
}

/** Number of items of a page. */
export function limit<const Default extends number, const Maximum extends number>(
  fallback: Default,
  maximum: Maximum,
) {
  return {
    kind: 'integer',
    default: fallback,
    maximum,
    purpose: {
      ko: `한 번에 받을 건수. 최대 ${maximum}이며 더 큰 값은 이 값으로 줄입니다. 0이면 건수만 셉니다.`,
      en: `Number of items, at most ${maximum}; a larger value is reduced to it. 0 returns the count only.`,
    },
  } as const satisfies IntegerParameter;
}

/** Position of a page. */
export function offset() {
  return {
    kind: 'integer',
    default: 0,
    purpose: { ko: '건너뛸 건수', en: 'Number of items to skip' },
  } as const satisfies IntegerParameter;
}

/** Position of a page of matches. */
export function searchOffset() {
  return {
    ...offset(),
    purpose: {
      ko: '건너뛸 건수. 앞의 512건은 일치 단계와 길이 순이고, 그 뒤의 결과는 일치 단계 안에서 저장된 순서입니다.',
      en: 'Number of items to skip. The first 512 matches are sorted by tier and then by length; within a tier, later matches are in the order in which they are stored.',
    },
  } as const satisfies IntegerParameter;
}

/** A sido, by name or code. */
export function sido() {
  return {
    kind: 'text',
    purpose: {
      ko: '시도의 이름, 약칭, 옛 이름 또는 코드.',
      en: 'Province or metropolitan city: its name, short or former name, or code.',
    },
  } as const satisfies TextParameter;
}

/** A sigungu of a sido, by name or code. */
export function sigungu() {
  return {
    kind: 'text',
    purpose: {
      ko: '시군구의 이름, 옛 이름 또는 코드. sido와 함께 씁니다.',
      en: 'City, county or district: its name, former name or code. Requires sido.',
    },
  } as const satisfies TextParameter;
}

/** Longest text of the query language, in characters. */
const expressionLengthMax = 2_000;

/** A condition in the query language. */
export function where() {
  return {
    kind: 'text',
    lengthMax: expressionLengthMax,
    isVerbatim: true,
    purpose: {
      ko: '조건. 필드는 이름이나 한글 이름으로 쓰고, = <> < > <= >=, in (…), between … and …, like, is null을 and, or, not과 괄호로 잇습니다. 빈칸이나 괄호가 있는 값은 작은따옴표로 묶습니다. _sido, _sigungu, _total도 쓸 수 있습니다.',
      en: 'Condition: fields by name or Korean label with = <> < > <= >=, in (…), between … and …, like and is null, joined by and, or, not and brackets. Values with blanks or brackets stand in single quotes. _sido, _sigungu and _total can be used as fields.',
    },
  } as const satisfies TextParameter;
}

/** A list between commas: names of fields, or aggregates and other expressions of the query language. */
export function names(ko: string, en: string) {
  return {
    kind: 'text',
    lengthMax: expressionLengthMax,
    isVerbatim: true,
    purpose: { ko, en },
  } as const satisfies TextParameter;
}

/** Selection of the properties that the items of an answer have. */
export function propertyNames(properties: readonly string[]) {
  return {
    ...names(
      `받을 항목을 쉼표로: ${properties.slice(0, 3).join(',')}. 없으면 모두.`,
      `Properties of the items to return, between commas: ${properties.slice(0, 3).join(',')}. All when absent.`,
    ),
    properties,
  } as const satisfies TextParameter;
}

/** Text that must occur in a record. */
export function textSearch() {
  return {
    kind: 'text',
    purpose: {
      ko: '검색어. 모든 낱말이 들어 있는 레코드만. 시도 이름은 그 시도에 속한 레코드도 찾습니다.',
      en: 'Search query: records in which every word occurs. The name of a sido also finds the records that lie there.',
    },
  } as const satisfies TextParameter;
}

/** Position from which records are sorted by distance. */
export function near() {
  return {
    kind: 'text',
    purpose: {
      ko: '위도,경도(37.4979,127.0276). 가까운 순서로 돌려주고 _distance에 거리(m)를 적습니다.',
      en: 'lat,lon (37.4979,127.0276): nearest first, with the distance in metres in _distance.',
    },
  } as const satisfies TextParameter;
}

/** Distance from `near`. */
export function radius() {
  return {
    kind: 'integer',
    maximum: 50_000,
    purpose: {
      ko: 'near에서의 거리(m). 최대 50,000이며 더 큰 값은 이 값으로 줄입니다.',
      en: 'Distance from near in metres, at most 50,000; a larger value is reduced to it.',
    },
  } as const satisfies IntegerParameter;
}

/** Rectangle of coordinates. */
export function bbox() {
  return {
    kind: 'text',
    purpose: {
      ko: '최소경도,최소위도,최대경도,최대위도 안의 레코드만.',
      en: 'Records within minLon,minLat,maxLon,maxLat.',
    },
  } as const satisfies TextParameter;
}

/** Format of a heading line. */
export function header() {
  return {
    kind: 'choice',
    values: ['name', 'label'],
    default: 'name',
    purpose: {
      ko: 'CSV 제목 줄: name은 원본 이름, label은 한글 이름.',
      en: 'CSV headings: name is the source’s name, label the Korean label.',
    },
  } as const satisfies ChoiceParameter;
}

/** Permission to search for another query if the given one finds nothing. */
export function rewrite() {
  return {
    kind: 'choice',
    values: ['0', '1'],
    default: '0',
    purpose: {
      ko: '1이면 결과가 없을 때 가장 그럴듯한 다른 검색어(조사·의문어 제거, 띄어쓰기, 낱말마다 40자까지의 자판, 초성, 오타, 날짜·전화번호 표기)로 찾고 rewritten으로 알립니다.',
      en: '1: if nothing is found, the likeliest other reading (without particles, with other blanks, the wrong keyboard layout in words of up to 40 keys, initial consonants, typing mistakes, other forms of dates and telephone numbers) is searched for, and `rewritten` names it.',
    },
  } as const satisfies ChoiceParameter;
}

/** The snapshot to answer from. */
export function snapshot() {
  return {
    kind: 'text',
    purpose: {
      ko: '답할 스냅샷(20261121-0003). 응답의 X-Maru-Snapshot과 meta.snapshot에 있으며, 여러 쪽을 한 스냅샷에서 읽을 때 씁니다. 최근 다섯 개를 보관합니다. 없으면 지금의 스냅샷.',
      en: 'Snapshot to answer from (20261121-0003), as named by X-Maru-Snapshot and meta.snapshot of an answer, to read all pages from one. The last five are stored; the current one when absent.',
    },
  } as const satisfies TextParameter;
}
