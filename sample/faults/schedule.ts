import { hashOf } from '../seeded-random.ts';
import { answerFaults } from './answers.ts';
import { byteFaults } from './bytes.ts';
import { listFaults, odcloudFaults, trendFaults } from './hosts.ts';
import type { Fault, FaultDuration } from './fault.ts';
import { fileFaults } from './files.ts';
import { pageFaults } from './pages.ts';
import { pagingFaults } from './paging.ts';
import { recordFaults } from './records.ts';
import { refusalFaults } from './refusals.ts';
import { shapeFaults } from './shapes.ts';
import { textFaults } from './texts.ts';

const everywhereFaults = { ...answerFaults, ...byteFaults, ...refusalFaults };
const operationFaults = {
  ...pageFaults,
  ...shapeFaults,
  ...recordFaults,
  ...pagingFaults,
  ...textFaults,
};

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

/** Parts of the sample portal. The catalog also has the faults of files and odcloud, since it is read from both. */
export type FaultPlace = 'operations' | 'files' | 'odcloud' | 'catalog' | 'trend';

const placeFaults: Readonly<Record<FaultPlace, Readonly<Record<string, Fault>>>> = {
  operations: { ...everywhereFaults, ...operationFaults },
  files: { ...everywhereFaults, ...fileFaults },
  odcloud: { ...everywhereFaults, ...odcloudFaults },
  catalog: { ...everywhereFaults, ...fileFaults, ...odcloudFaults, ...listFaults },
  trend: { ...everywhereFaults, ...trendFaults },
};

/** A fault to switch on. With `mix`, each affected request gets one of the temporary faults. */
export interface FaultSetting {
  readonly fault: FaultName | 'mix';
  /** Share of the requests that it affects, from 0 to 1; all if absent. */
  readonly rate?: number;
  /** Only requests whose address or operation code contains this. */
  readonly only?: string;
  /** Only requests with these parameters. */
  readonly query?: Readonly<Record<string, string>>;
  /** Attempts of a request that a lasting fault affects; all if absent. */
  readonly attempts?: number;
  /** First page that a quota refuses; 1 if absent. */
  readonly fromPage?: number;
}

/** A fault that was chosen for a request. */
export interface InjectedFault {
  readonly name: FaultName;
  readonly fault: Fault;
}

/** An attempt of a request, with everything that the choice of a fault depends on. */
interface RequestAttempt {
  /** Equal for all attempts of a request. */
  readonly identity: string;
  readonly address: string;
  readonly query: ReadonlyMap<string, string>;
  readonly operationCode: string | null;
  /** Number of the attempt, from 0. */
  readonly attempt: number;
  readonly page: number;
  /** True until the first midnight in Seoul after the faults were switched on. */
  readonly isBeforeMidnight: boolean;
}

/** The temporary or the lasting faults that have an effect at a place. */
export function faultsAt(place: FaultPlace, duration: FaultDuration): FaultName[] {
  return faultNames().filter(
    (name) => name in placeFaults[place] && durationOf(faultTable[name]) === duration,
  );
}

export function durationOf({ isLasting }: Fault): FaultDuration {
  return isLasting === true ? 'lasting' : 'temporary';
}

/** Refuses settings that would have no effect. */
export function checkFaults(settings: readonly FaultSetting[]): void {
  for (const { fault, rate = 1, fromPage = 1 } of settings) {
    if (fault !== 'mix' && !(fault in faultTable))
      throw new RangeError(`There is no fault “${fault}”. sample/README.md lists them.`);
    if (!(rate >= 0 && rate <= 1))
      throw new RangeError(`The rate ${rate} is not from 0 to 1. Give a share of the requests.`);
    if (fromPage < 1) throw new RangeError('Pages are counted from 1. Give a later `fromPage`.');
  }
}

/**
 * Chooses the fault of the first setting that applies. The choice depends on the seed and the request alone, so
 * two runs meet the same faults.
 */
export function chooseFault(
  settings: readonly FaultSetting[],
  seed: number,
  request: RequestAttempt,
): InjectedFault | null {
  for (const setting of settings) {
    if (!isAffected(setting, request)) continue;
    const roll = hashOf(seed, setting.fault, request.identity) / 4_294_967_296;
    if (roll >= (setting.rate ?? 1)) continue;
    const name = setting.fault === 'mix' ? pickFromMix(seed, request) : setting.fault;
    const fault: Fault = faultTable[name];
    if (request.attempt >= (setting.attempts ?? Infinity)) continue;
    if (durationOf(fault) === 'temporary' && request.attempt >= (fault.attempts ?? 1)) continue;
    if (fault.startsAtPage === true && request.page < (setting.fromPage ?? 1)) continue;
    if (fault.untilMidnight === true && !request.isBeforeMidnight) continue;
    return { name, fault };
  }
  return null;
}

function isAffected({ only, query = {} }: FaultSetting, request: RequestAttempt): boolean {
  const { address, operationCode } = request;
  if (only !== undefined && !address.includes(only) && operationCode !== only) return false;
  return Object.entries(query).every(([name, value]) => request.query.get(name) === value);
}

/** One of the temporary faults at the place of a request. */
function pickFromMix(seed: number, request: RequestAttempt): FaultName {
  const faults = faultsAt(placeOf(request), 'temporary');
  const index = hashOf(seed, 'kind of fault', request.identity) % faults.length;
  return faults[index] ?? 'error_xml_200';
}

function placeOf({ operationCode, address }: RequestAttempt): FaultPlace {
  if (operationCode !== null) return 'operations';
  if (address.startsWith('api.odcloud.kr')) return 'odcloud';
  if (address.includes('naver')) return 'trend';
  return address.includes('selectDataSetList') ? 'catalog' : 'files';
}

function faultNames(): FaultName[] {
  // Safe: the keys of a constant object are those of its type.
  return Object.keys(faultTable) as FaultName[];
}
