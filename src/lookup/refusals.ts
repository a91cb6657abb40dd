import type { BilingualText } from '../contract/language.ts';
import type { StoredAxis } from '../data/axis.ts';
import { unspacedText } from '../data/korean/normalise.ts';
import { nearestFew } from '../kernel/nearest.ts';
import { Problem } from '../kernel/problem.ts';
import type { LookupStore } from './store/store.ts';

/** The stored axis of a code; 400 `unknown_axis` with suggestions. */
export function requireAxis(code: string, store: LookupStore): StoredAxis {
  const stored = store.axes.get(code);
  if (stored !== undefined) return stored;
  const detail = {
    ko: `${code} 축은 없습니다. 축 코드는 /api/axes에서 확인하세요.`,
    en: `There is no axis ${code}. Choose a code from /api/axes.`,
  };
  const reason = { ko: '없는 축입니다.', en: 'There is no such axis.' };
  throw new Problem('unknown_axis', detail, {
    errors: [{ parameter: 'axis', reason, value: code }],
    extra: { suggestions: nearCodes(code, store) },
  });
}

/** Codes near a mistyped one, then codes and titles that contain it: a portal number and a title find their axis. */
export function nearCodes(code: string, { axes }: LookupStore): string[] {
  const typed = code.toLowerCase();
  const words = unspacedText(code);
  const containing = [...axes.values()].filter(
    ({ axis }) =>
      axis.code.includes(typed) || (words !== '' && unspacedText(axis.title).includes(words)),
  );
  const codes = containing.map(({ axis }) => axis.code);
  return [...new Set([...nearestFew(code, axes.keys(), 3), ...codes])].slice(0, 5);
}

/** 400 `invalid_parameter` for one parameter. */
export function invalidParameter(parameter: string, reason: BilingualText): Problem {
  const detail = { ko: `${parameter}: ${reason.ko}`, en: `${parameter}: ${reason.en}` };
  return new Problem('invalid_parameter', detail, { errors: [{ parameter, reason }] });
}
