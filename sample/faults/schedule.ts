import { hashOf } from '../seeded-random.ts';
import { answerFaults } from './answers.ts';
import { byteFaults } from './bytes.ts';
import { listFaults, odcloudFaults, trendFaults } from './hosts.ts';
import type { Fault } from './fault.ts';
import { fileFaults } from './files.ts';
import { pageFaults } from './pages.ts';
import { recordFaults } from './records.ts';
import { refusalFaults } from './refusals.ts';
import { shapeFaults } from './shapes.ts';

const everywhereFaults = { ...answerFaults, ...byteFaults, ...refusalFaults };
const operationFaults = { ...pageFaults, ...shapeFaults, ...recordFaults };

/** Every fault, by name. */
export const faultTable = {
  ...everywhereFaults,
  ...operationFaults,
  ...fileFaults,
  ...odcloudFaults,
  ...listFaults,
  ...trendFaults,
};

export type FaultName = keyof typeof faultTable;

/** The upstream of a collection; the catalog downloads its list file like any file, and uses odcloud too. */
export type FaultPlace = 'operations' | 'files' | 'odcloud' | 'catalog' | 'trend';

const placeFaults: Readonly<Record<FaultPlace, Readonly<Record<string, Fault>>>> = {
  operations: { ...everywhereFaults, ...operationFaults },
  files: { ...everywhereFaults, ...fileFaults },
  odcloud: { ...everywhereFaults, ...odcloudFaults },
  catalog: { ...everywhereFaults, ...fileFaults, ...odcloudFaults, ...listFaults },
  trend: { ...everywhereFaults, ...trendFaults },
};

/** Switches one fault on, or with `mix` all that pass. */
export interface FaultSetting {
  readonly fault: FaultName | 'mix';
  /** Share of the requests that it affects, from 0 to 1; all if absent. */
  readonly rate?: number;
  /** Only requests whose address or operation code contains this. */
  readonly only?: string;
  /** For the faults of quota: the first page that is refused; 1 if absent. */
  readonly fromPage?: number;
}

/** A fault that was chosen for a request. */
export interface InjectedFault {
  readonly name: FaultName;
  readonly fault: Fault;
}

/** An attempt of a request, as the choice of a fault sees it. */
interface RequestAttempt {
  readonly identity: string;
  readonly address: string;
  readonly code: string | null;
  /** Number of the attempt, from 0. */
  readonly attempt: number;
  readonly page: number;
  /** True on the day, in Seoul, on which the faults were switched on. */
  readonly sameDay: boolean;
}

/** Names of the faults that are gone at the next attempt; a mix is made of them. */
export const passingFaults: readonly FaultName[] = namesOf().filter(
  (name) => !tableEntry(name).stays,
);

/** The faults that have an effect at a place, those that stay or those that pass. */
export function faultsAt(place: FaultPlace, { stays }: Pick<Fault, 'stays'>): FaultName[] {
  return namesOf().filter((name) => name in placeFaults[place] && tableEntry(name).stays === stays);
}

/** Refuses settings without an effect. */
export function checkFaults(settings: readonly FaultSetting[]): void {
  for (const { fault, rate = 1, fromPage = 1 } of settings) {
    if (fault !== 'mix' && !(fault in faultTable))
      throw new RangeError(`There is no fault “${fault}”; see the table of faults.`);
    if (!(rate >= 0 && rate <= 1)) throw new RangeError(`A rate is from 0 to 1, not ${rate}.`);
    if (fromPage < 1) throw new RangeError('Pages are counted from 1.');
  }
}

/**
 * Chooses the fault of the first setting that applies. The choice depends on the request alone, so two runs
 * meet the same faults. A passing fault is gone at the next attempt of the same request.
 */
export function chooseFault(
  settings: readonly FaultSetting[],
  seed: number,
  request: RequestAttempt,
): InjectedFault | null {
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

function concerns({ only }: FaultSetting, { address, code }: RequestAttempt): boolean {
  return only === undefined || address.includes(only) || code === only;
}

/** One of the passing faults with an effect there. */
function oneOfMix(seed: number, request: RequestAttempt): FaultName {
  const there = faultsAt(placeOf(request), { stays: false });
  const index = hashOf(seed, 'kind of fault', request.identity) % there.length;
  return there[index] ?? 'error_xml_200';
}

function placeOf({ code, address }: RequestAttempt): FaultPlace {
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
