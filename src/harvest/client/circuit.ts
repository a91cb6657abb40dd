import type { PortalLimits } from './limits.ts';

/** Circuit breaker: stops requests to a service that keeps failing, then lets one through at a time. */
interface Circuit {
  /** True if a request may be sent; the caller then reports its end by one of the three methods below. */
  allows(service: string, now: number): boolean;
  /** Time of the next trial, in milliseconds; null while the circuit is closed. */
  openUntil(service: string): number | null;
  succeeded(service: string): void;
  /** True when this failure opened the circuit. */
  failed(service: string, now: number): boolean;
  /** The caller gave up the request; the service may be healthy. */
  abandoned(service: string): void;
}

export function createCircuit(
  limits: Pick<PortalLimits, 'circuitFailuresMax' | 'circuitOpenMs' | 'circuitOpenMsMax'>,
): Circuit {
  const services = new Map<string, ServiceState>();
  const stateOf = (service: string): ServiceState => {
    const current = services.get(service);
    if (current !== undefined) return current;
    const state = { failures: 0, openings: 0, openUntil: null, trying: false };
    services.set(service, state);
    return state;
  };

  return {
    allows(service, now) {
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
      // A request that was sent before the circuit opened does not prolong it.
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
  /** A trial request is under way. */
  trying: boolean;
}
