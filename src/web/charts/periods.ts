import type { Language } from '../../contract/language.ts';

/** Number of a year, a month or a day, so that periods that follow each other have numbers that do. */
export function periodNumber(period: string): number {
  const [year = 0, month = 1] = period.split('-').map(Number);
  if (period.length === 4) return year;
  if (period.length === 7) return year * 12 + month - 1;
  return Math.floor(Date.parse(period) / 86_400_000);
}

/** The period of a number, as long as another period is written. */
export function periodAt(number: number, { length }: string): string {
  if (length === 4) return String(number);
  if (length === 7) {
    return `${Math.floor(number / 12)}-${String((number % 12) + 1).padStart(2, '0')}`;
  }
  return new Date(number * 86_400_000).toISOString().slice(0, 10);
}

/** A year, a month or a day as readers write it: `2024년 6월`, `June 2024`. */
export function periodText(period: string, language: Language): string {
  const [year, month, day] = period.split('-').map(Number);
  if (language === 'ko') {
    const parts = [`${year}년`, month && `${month}월`, day && `${day}일`];
    return parts.filter(Boolean).join(' ');
  }
  return [day, month && monthNames[month - 1], year].filter(Boolean).join(' ');
}

/** A period in as few characters as name it: `2024. 6.`, `Jun 2024`. */
export function shortPeriodText(period: string, language: Language): string {
  const [year, month, day] = period.split('-').map(Number);
  if (month === undefined) return language === 'ko' ? `${year}년` : String(year);
  if (language === 'ko') return `${year}. ${month}.${day === undefined ? '' : ` ${day}.`}`;
  return [day, monthNames[month - 1]?.slice(0, 3), year].filter(Boolean).join(' ');
}

const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
