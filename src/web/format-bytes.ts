/** Formats a size with at most two significant decimals: `8.9 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1_000;
    unit++;
  }
  const text = unit === 0 || value >= 99.5 ? String(Math.round(value)) : value.toFixed(1);
  return `${text.replace(/\.0$/, '')} ${units[unit]!}`;
}

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;
