import type { PortalLimits } from './limits.ts';

/** Circuit breaker: blocks requests to a service that keeps failing, then lets one trial through at a time. */
interface Circuit {
  /** True if a request may be sent; the caller then records its end by one of the three `record…` methods. */
  allows(service: string, now: number): boolean;
  /** Time of the next trial, in milliseconds; null while the circuit is closed. */
  openUntil(service: string): number | null;
  recordSuccess(service: string): void;
  /** Returns true if this failure opened the circuit. */
  recordFailure(service: string, now: number): boolean;
  /** Ends a request without a result; the service may be healthy. */
  recordAbandonment(service: string): void;
}

export function createCircuit(
  limits: Pick<PortalLimits, 'circuitFailuresMax' | 'circuitOpenMs' | 'circuitOpenMsMax'>,
): Circuit {
  const services = new Map<string, ServiceState>();
  const stateOf = (service: string): ServiceState => {
    const current = services.get(service);
    if (current !== undefined) return current;
    const state = { failures: 0, openings: 0, openUntil: null, hasTrial: false };
    services.set(service, state);
    return state;
  };

  return {
    allows(service, now) {
      const state = services.get(service);
      if (state === undefined || state.openUntil === null) return true;
      if (now < state.openUntil || state.hasTrial) return false;
      state.hasTrial = true;
      return true;
    },
    openUntil: (service) => services.get(service)?.openUntil ?? null,
    recordSuccess(service) {
      services.delete(service);
    },
    recordFailure(service, now) {
      const state = stateOf(service);
      state.failures++;
      const wasTrial = state.hasTrial;
      state.hasTrial = false;
      if (!wasTrial && state.failures < limits.circuitFailuresMax) return false;
      // A request that was sent before the circuit opened does not prolong it.
      if (!wasTrial && state.openUntil !== null) return false;
      const openMs = limits.circuitOpenMs * 2 ** Math.min(state.openings, 30);
      state.openUntil = now + Math.min(openMs, limits.circuitOpenMsMax);
      state.openings++;
      return true;
    },
    recordAbandonment(service) {
      const state = services.get(service);
      if (state !== undefined) state.hasTrial = false;
    },
  };
}

interface ServiceState {
  failures: number;
  openings: number;
  openUntil: number | null;
  /** True while a trial is under way. */
  hasTrial: boolean;
}
