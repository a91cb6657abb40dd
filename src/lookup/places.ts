import { invalidParameter } from './refusals.ts';

/** The position of `near=lat,lon`. Throws 400. */
export function readPosition(text: string): { readonly lat: number; readonly lon: number } {
  const [lat, lon] = readNumbers(text, 2);
  if (lat !== undefined && lon !== undefined && isLat(lat) && isLon(lon)) return { lat, lon };
  const isSwapped = lat !== undefined && lon !== undefined && isLat(lon) && isLon(lat);
  throw invalidParameter('near', {
    ko: isSwapped
      ? `위도를 먼저 씁니다: near=${lon},${lat}`
      : '위도,경도로 씁니다. 예: near=37.4979,127.0276',
    en: isSwapped
      ? `The latitude comes first: near=${lon},${lat}`
      : 'Send lat,lon, such as near=37.4979,127.0276.',
  });
}

/** The rectangle of `bbox=minLon,minLat,maxLon,maxLat`. Throws 400. */
export function readBox(text: string): {
  readonly minLon: number;
  readonly minLat: number;
  readonly maxLon: number;
  readonly maxLat: number;
} {
  const [minLon = NaN, minLat = NaN, maxLon = NaN, maxLat = NaN] = readNumbers(text, 4);
  const isBox = [minLon, maxLon].every(isLon) && [minLat, maxLat].every(isLat);
  if (isBox && minLon <= maxLon && minLat <= maxLat) return { minLon, minLat, maxLon, maxLat };
  throw invalidParameter('bbox', {
    ko: '최소경도,최소위도,최대경도,최대위도로 씁니다. 예: bbox=126.9,37.4,127.1,37.6',
    en: 'Send minLon,minLat,maxLon,maxLat, such as bbox=126.9,37.4,127.1,37.6.',
  });
}

/** Numbers between commas; none unless there are exactly `count`. */
function readNumbers(text: string, count: number): number[] {
  const parts = text.split(',').map((part) => part.trim());
  const areNumbers = parts.every((part) => /^-?\d{1,3}(?:\.\d{1,15})?$/.test(part));
  return areNumbers && parts.length === count ? parts.map(Number) : [];
}

function isLat(number: number): boolean {
  return Math.abs(number) <= 90;
}

function isLon(number: number): boolean {
  return Math.abs(number) <= 180;
}
