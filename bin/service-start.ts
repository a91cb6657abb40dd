import type { Log } from '../src/kernel/log.ts';
import type { Settings } from '../src/kernel/settings.ts';
import type { ProgressLine } from './terminal.ts';

/** The parts of the process that a service needs to start. */
export interface ServiceStart {
  readonly settings: Settings;
  readonly log: Log;
  readonly progress: ProgressLine;
}

/** The services of a process. */
export interface ServiceSelection {
  readonly hasLookup: boolean;
  /** Pages of the lookup service. */
  readonly hasPages: boolean;
  readonly hasMembers: boolean;
}

/** Port of the operator's listener; 0, a free one, if PORT is 0 or the last port. */
export function adminPort({ ADMIN_PORT, PORT }: Pick<Settings, 'ADMIN_PORT' | 'PORT'>): number {
  if (ADMIN_PORT !== null) return ADMIN_PORT;
  return PORT === 0 || PORT === 65_535 ? 0 : PORT + 1;
}
