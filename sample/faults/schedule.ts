import { hashOf } from '../dice.ts';
import { answerFaults } from './answers.ts';
import { byteFaults } from './bytes.ts';
import { listFaults, odcloudFaults, trendFaults } from './doors.ts';
import type { Fault } from './fault.ts';
import { fileFaults } from './files.ts';
import { pageFaults } from './pages.ts';
import { recordFaults } from './records.ts';
import { refusalFaults } from './refusals.ts';
import { shapeFaults } from './shapes.ts';

const everywhereFaults = { ...answerFaults, ...byteFaults, ...refusalFaults };
const operationFaults = { ...pageFaults, ...shapeFaults, ...recordFaults };

/** Everything that can be made to go wrong, by name. */
export const faultTable = {
  ...everywhereFaults,
  ...operationFaults,
  ...fileFaults,
  ...odcloudFaults,
  ...listFaults,
  ...trendFaults,
};

export type FaultName = keyof typeof faultTable;

/** What a collection asks; the catalog takes its list file by way of the files, and asks odcloud too. */
export type FaultPlace = 'operations' | 'files' | 'odcloud' | 'catalog' | 'trend';

const placeFaults: Readonly<Record<FaultPlace, Readonly<Record<string, Fault>>>> = {
  operations: { ...everywhereFaults, ...operationFaults },
  files: { ...everywhereFaults, ...fileFaults },
  odcloud: { ...everywhereFaults, ...odcloudFaults },
  catalog: { ...everywhereFaults, ...fileFaults, ...odcloudFaults, ...listFaults },
  trend: { ...everywhereFaults, ...trendFaults },
};

/** Switches one fault on, or with `mix` all that pass by themselves. */
export interface FaultSetting {
  readonly fault: FaultName | 'mix';
  /** Share of the requests that it strikes, from 0 to 1; every one when absent. */
  readonly rate?: number;
  /** Only requests whose address or operation code contains this. */
  readonly only?: string;
  /** For the faults of quota: the first page that is refused; 1 when absent. */
  readonly fromPage?: number;
}

/** The fault that strikes a request, if any. */
export interface Struck {
  readonly name: FaultName;
  readonly fault: Fault;
}

/** What a schedule needs to know of a request. */
export interface Attempted {
  readonly identity: string;
  readonly address: string;
  readonly code: string | null;
  /** Counted from 0: which time this same request is made. */
  readonly attempt: number;
  readonly page: number;
  /** Whether it is still the day, in Seoul, on which the faults were switched on. */
  readonly sameDay: boolean;
}

/** Names of the faults that the next attempt does not meet again: what is mixed. */
export const passingFaults: readonly FaultName[] = namesOf().filter(
  (name) => !tableEntry(name).stays,
);

/** The faults that change something at a place, those that stay or those that pass. */
export function faultsAt(place: FaultPlace, { stays }: Pick<Fault, 'stays'>): FaultName[] {
  return namesOf().filter((name) => name in placeFaults[place] && tableEntry(name).stays === stays);
}

/** Refuses settings that would silently do nothing. */
export function checkFaults(settings: readonly FaultSetting[]): void {
  for (const { fault, rate = 1, fromPage = 1 } of settings) {
    if (fault !== 'mix' && !(fault in faultTable))
      throw new RangeError(`There is no fault “${fault}”; see the table of faults.`);
    if (!(rate >= 0 && rate <= 1)) throw new RangeError(`A rate is from 0 to 1, not ${rate}.`);
    if (fromPage < 1) throw new RangeError('Pages are counted from 1.');
  }
}

/**
 * The first setting that strikes. Whether it does depends on the request alone, so two runs meet the same
 * faults; a passing fault is gone at the next attempt of the same request.
 */
export function strike(
  settings: readonly FaultSetting[],
  seed: number,
  request: Attempted,
): Struck | null {
  for (const setting of settings) {
    if (!concerns(setting, request)) continue;
    const roll = hashOf(seed, setting.fault, request.identity) / 4_294_967_296;
    if (roll >= (setting.rate ?? 1)) continue;
    const name = setting.fault === 'mix' ? oneOfMix(seed, request) : setting.fault;
    const fault = tableEntry(name);
    if (!fault.stays && request.attempt >= (fault.attempts ?? 1)) continue;
    if (fault.byPage === true && request.page < (setting.fromPage ?? 1)) continue;
    if (fault.untilMidnight === true && !request.sameDay) continue;
    return { name, fault };
  }
  return null;
}

function concerns({ only }: FaultSetting, { address, code }: Attempted): boolean {
  return only === undefined || address.includes(only) || code === only;
}

/** One of those that can change something there. */
function oneOfMix(seed: number, request: Attempted): FaultName {
  const there = faultsAt(placeOf(request), { stays: false });
  const at = hashOf(seed, 'kind of fault', request.identity) % there.length;
  return there[at] ?? 'error_xml_200';
}

function placeOf({ code, address }: Attempted): FaultPlace {
  if (code !== null) return 'operations';
  if (address.startsWith('api.odcloud.kr')) return 'odcloud';
  if (address.includes('naver')) return 'trend';
  return address.includes('selectDataSetList') ? 'catalog' : 'files';
}

function tableEntry(name: FaultName): Fault {
  return faultTable[name];
}

function namesOf(): FaultName[] {
  // The keys of a constant object are its type's keys.
  return Object.keys(faultTable) as FaultName[];
}
