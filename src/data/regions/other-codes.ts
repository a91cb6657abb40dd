import { regionByCode } from './region-table.ts';
import type { Region } from './region-table.ts';

/** The sido of the tourism organisation's own `areaCode`, used by its services until lDongRegnCd. */
export function sidoOfTourismArea(areaCode: string): Region | undefined {
  return regionByCode(tourismAreas[areaCode] ?? '');
}

/** The sido of a statistics office's code, which the bus service follows too (but for 12, 세종 there). */
export function sidoOfStatisticsCode(code: string): Region | undefined {
  return regionByCode(statisticsSidos[code.slice(0, 2)] ?? '');
}

/** Codes of the years in use: 광주 and 전남 keep their own numbers in both systems after the merger. */
const tourismAreas: Readonly<Record<string, string>> = {
  '1': '11',
  '2': '28',
  '3': '30',
  '4': '27',
  '5': '29',
  '6': '26',
  '7': '31',
  '8': '36',
  '31': '41',
  '32': '51',
  '33': '43',
  '34': '44',
  '35': '47',
  '36': '48',
  '37': '52',
  '38': '46',
  '39': '50',
};

const statisticsSidos: Readonly<Record<string, string>> = {
  '11': '11',
  '21': '26',
  '22': '27',
  '23': '28',
  '24': '29',
  '25': '30',
  '26': '31',
  '29': '36',
  '31': '41',
  '32': '51',
  '33': '43',
  '34': '44',
  '35': '52',
  '36': '46',
  '37': '47',
  '38': '48',
  '39': '50',
};
