/**
 * Versions of a query with its date in other spellings: ISO 8601, digits only, with dots; year and month also as two
 * words, since they may be two fields. None if the query has no date.
 */
export function dateSpellings(query: string): string[] {
  for (const pattern of patterns) {
    const found = pattern.exec(query);
    if (found === null) continue;
    const { y, m, d } = found.groups as { y?: string; m?: string; d?: string };
    const parts = [
      y === undefined ? '' : y.length === 2 ? `20${y}` : y,
      twoDigits(m),
      twoDigits(d),
    ];
    if (Number(parts[1] ?? 1) > 12 || Number(parts[2] ?? 1) > 31) continue;
    const apart =
      y !== undefined && m !== undefined && d === undefined ? [`${y} ${Number(m)}`] : [];
    return [...spellingsOf(parts.filter((part) => part !== undefined)), ...apart]
      .map((spelling) => query.replace(found[0], spelling).replace(/\s+/g, ' ').trim())
      .filter((one) => one !== query);
  }
  return [];
}

/** A missing year stays empty, so that `-09-25` is part of any date of that day. */
function spellingsOf(parts: readonly string[]): string[] {
  const hasYear = parts[0] !== '';
  return [parts.join('-'), ...(hasYear ? [parts.join(''), parts.join('.'), parts.join('/')] : [])];
}

function twoDigits(part: string | undefined): string | undefined {
  return part?.padStart(2, '0');
}

const patterns = [
  /(?<![\d])(?<y>(?:19|20)\d\d)\s*[-./년]\s*(?<m>\d{1,2})\s*[-./월]\s*(?<d>\d{1,2})(?:일|\.)?(?!\d)/,
  /(?<!\d)(?<y>(?:19|20)\d\d)(?<m>[01]\d)(?<d>[0-3]\d)(?!\d)/,
  /(?<!\d)(?<y>\d\d)\.\s*(?<m>\d{1,2})\.\s*(?<d>\d{1,2})\.?(?!\d)/,
  /(?<!\d)(?<y>(?:19|20)\d\d)\s*년\s*(?<m>\d{1,2})\s*월/,
  /(?<!\d)(?<m>\d{1,2})\s*월\s*(?<d>\d{1,2})\s*일/,
  /(?<!\d)(?<y>(?:19|20)\d\d)\s*년(?!도|\s*\d)/,
];
