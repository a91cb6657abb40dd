/** Writes `yyyymmdd` as `2024-01-31` and `yyyymmddhhmmss` as `2024-01-31T09:30:00`. */
export function isoOf(value: number): string {
  const digits = String(value);
  const day = `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6, 8)}`;
  if (digits.length === 8) return day;
  return `${day}T${digits.slice(8, 10)}:${digits.slice(10, 12)}:${digits.slice(12, 14)}`;
}
