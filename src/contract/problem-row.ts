import type { BilingualText } from './language.ts';

/** Row of the table of problem codes: the HTTP status, the title, and the remedy for the caller. */
interface ProblemRow {
  readonly status: number;
  readonly title: BilingualText;
  readonly remedy: BilingualText;
}

/** Makes a row from its texts, each as a pair of Korean and English. */
export function problem(
  status: number,
  { title, remedy }: Record<'title' | 'remedy', readonly [ko: string, en: string]>,
): ProblemRow {
  return {
    status,
    title: { ko: title[0], en: title[1] },
    remedy: { ko: remedy[0], en: remedy[1] },
  };
}
