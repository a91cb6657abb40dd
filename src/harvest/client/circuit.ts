import type { PortalLimits } from './limits.ts';

/** Leaves a service alone that fails again and again, and tries it with one call at a time. */
export interface Circuit {
  /** Whether a call may go; every call that was let through ends in one of the three below. */
  lets(service: string, now: number): boolean;
  /** When the service may be tried again, in milliseconds; null while its circuit is closed. */
  openUntil(service: string): number | null;
  succeeded(service: string): void;
  /** True when this failure opened the circuit. */
  failed(service: string, now: number): boolean;
  /** The call was given up by its caller: it says nothing of the service. */
  abandoned(service: string): void;
}

export function createCircuit(
  limits: Pick<PortalLimits, 'circuitFailuresMax' | 'circuitOpenMs' | 'circuitOpenMsMax'>,
): Circuit {
  const services = new Map<string, ServiceState>();
  const stateOf = (service: string): ServiceState => {
    const known = services.get(service);
    if (known !== undefined) return known;
    const state = { failures: 0, openings: 0, openUntil: null, trying: false };
    services.set(service, state);
    return state;
  };

  return {
    lets(service, now) {
      const state = services.get(service);
      if (state === undefined || state.openUntil === null) return true;
      if (now < state.openUntil || state.trying) return false;
      state.trying = true;
      return true;
    },
    openUntil: (service) => services.get(service)?.openUntil ?? null,
    succeeded(service) {
      services.delete(service);
    },
    failed(service, now) {
      const state = stateOf(service);
      state.failures++;
      const trial = state.trying;
      state.trying = false;
      if (!trial && state.failures < limits.circuitFailuresMax) return false;
      // Calls that were under way when it opened do not open it further.
      if (!trial && state.openUntil !== null) return false;
      const openMs = limits.circuitOpenMs * 2 ** Math.min(state.openings, 30);
      state.openUntil = now + Math.min(openMs, limits.circuitOpenMsMax);
      state.openings++;
      return true;
    },
    abandoned(service) {
      const state = services.get(service);
      if (state !== undefined) state.trying = false;
    },
  };
}

interface ServiceState {
  failures: number;
  openings: number;
  openUntil: number | null;
  /** One call is under way to see whether the service is back. */
  trying: boolean;
}
