import type { PortalClient } from '../client/portal-client.ts';
import { PortalError } from '../client/portal-error.ts';
import type { AxisRequest } from '../operations/requests.ts';

/** The services that answered during a run, each with an answered request. */
export class Services {
  readonly #client: PortalClient | null;
  readonly #signal: AbortSignal | undefined;
  readonly #answered = new Map<string, { readonly request: AxisRequest; answers: number }>();

  constructor(client: PortalClient | null, signal: AbortSignal | undefined) {
    this.#client = client;
    this.#signal = signal;
  }

  isAnswering(service: string): boolean {
    return this.#answered.has(service);
  }

  /** Number of answers that were fetched. */
  countAnswers(service: string): number {
    return this.#answered.get(service)?.answers ?? 0;
  }

  /** Records a request whose answer was fetched, or is stored. */
  recordAnswer(request: AxisRequest, isFetched: boolean): void {
    const entry = this.#answered.get(request.service) ?? { request, answers: 0 };
    if (isFetched) entry.answers++;
    this.#answered.set(request.service, entry);
  }

  /**
   * Repeats an answered request, to distinguish an outage of the service from the failure of another request. Returns
   * the error; null if it is answered again.
   */
  async test(service: string): Promise<PortalError | null> {
    const entry = this.#answered.get(service);
    if (entry === undefined || this.#client === null) return null;
    try {
      await this.#client.call(entry.request, { signal: this.#signal });
      entry.answers++;
      return null;
    } catch (error) {
      if (error instanceof PortalError) return error;
      throw error;
    }
  }
}
