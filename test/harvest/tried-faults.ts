import type { FaultDuration } from '../../sample/faults/fault.ts';
import { faultsAt, type FaultName, type FaultPlace } from '../../sample/faults/schedule.ts';
import { isLongForm } from '../long-form.ts';

/**
 * Faults to try at a place: all that only the place has, and a quarter of those that operations have as well, another
 * quarter at each place. Operations try all of theirs, and the long form tries all faults at each place.
 */
export function triedFaults(place: FaultPlace, duration: FaultDuration): FaultName[] {
  const faults = faultsAt(place, duration);
  if (isLongForm || place === 'operations') return faults;
  const operationFaults = faultsAt('operations', duration);
  return faults.filter((fault) => {
    const at = operationFaults.indexOf(fault);
    return at < 0 || at % otherPlaces.length === otherPlaces.indexOf(place);
  });
}

const otherPlaces: readonly FaultPlace[] = ['files', 'odcloud', 'catalog', 'trend'];
