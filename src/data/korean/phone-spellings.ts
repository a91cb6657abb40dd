/**
 * Other spellings of a telephone number in a query: with hyphens as the Korean numbering plan divides it, and as
 * digits alone. Empty if the query is not a telephone number.
 */
export function phoneSpellings(query: string): string[] {
  if (!/^\+?[\d\s().-]{7,20}$/.test(query)) return [];
  const digits = query.replace(/\D/g, '').replace(/^82(?=[1-9]\d{7,9}$)/, '0');
  const spelled = patterns.flatMap((pattern) => {
    const parts = pattern.exec(digits);
    return parts === null ? [] : [parts.slice(1).join('-')];
  });
  return [...spelled, digits].filter((one) => one !== query);
}

/** Area code, exchange and number; service numbers such as 1588; a number without its area code. */
const patterns = [
  /^(02)(\d{3,4})(\d{4})$/,
  /^(0[13-9]\d)(\d{3,4})(\d{4})$/,
  /^(1[5-9]\d\d)(\d{4})$/,
  /^(\d{3,4})(\d{4})$/,
];
