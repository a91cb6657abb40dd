import type { IntegerParameter, TextParameter } from './route.ts';

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
