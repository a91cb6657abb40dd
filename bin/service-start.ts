import type { Log } from '../src/kernel/log.ts';
import type { Settings } from '../src/kernel/settings.ts';
import type { ProgressLine } from './terminal.ts';

/** Dependencies of a service at its start. */
export interface ServiceStart {
  readonly settings: Settings;
  readonly log: Log;
  readonly note: ProgressLine;
}

export interface WantedServices {
  readonly lookup: boolean;
  /** Pages of the lookup service. */
  readonly pages: boolean;
  readonly members: boolean;
}
