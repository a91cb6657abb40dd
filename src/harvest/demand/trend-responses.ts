import { PortalError } from '../client/portal-error.ts';
import { readMeasurements, type Measurement } from '../../ingest/demand/measurement.ts';
import type { DemandReport } from '../../ingest/demand/ranking.ts';
import type { RunContext } from '../runs/run-context.ts';
import type { RawResponse } from '../client/transport.ts';
import { keywordsRefused, type TrendClient, type TrendRequest } from './trend-client.ts';

/** The measurements of a run: stored ones are read, missing ones fetched; none is fetched twice. */
export class TrendResponses {
  readonly #run: RunContext;
  readonly #client: TrendClient | null;
  readonly #report: DemandReport;
  /** In the order of their requests. */
  readonly measurements: Measurement[] = [];

  /** A null client fetches nothing. */
  constructor(run: RunContext, client: TrendClient | null, report: DemandReport) {
    this.#run = run;
    this.#client = client;
    this.#report = report;
  }

  /**
   * Returns one measurement and counts it in the run; null if the service refuses the keywords. `plannedMeasurements`
   * is the expected number of all measurements. Throws `PortalError` for any other fault.
   */
  async measure(request: TrendRequest, plannedMeasurements: number): Promise<Measurement | null> {
    const client = this.#client;
    const fetch = client === null ? null : () => this.#fetch(client, request);
    const stored = await this.#run.store.load(JSON.stringify(request), fetch);
    if (stored === null) {
      throw new Error('A response is not stored: collect again without --reparse.');
    }
    this.#run.count(request.keywordGroups.length, plannedMeasurements);
    const text = new TextDecoder().decode(stored.body);
    if (stored.status === refusedStatus) {
      this.#report({ kind: 'measurement_refused', row: null, detail: text });
      return null;
    }
    const response: unknown = JSON.parse(text);
    const measuredAt = new Date(stored.storedAt).toISOString();
    const items = [{ request, response, measuredAt }];
    const [measurement = null] = readMeasurements(items, this.#report).measurements;
    if (measurement !== null) this.measurements.push(measurement);
    return measurement;
  }

  /** Fetches a response. A refusal of the keywords is final, so it is stored, too, with its reason as the body. */
  async #fetch(client: TrendClient, request: TrendRequest): Promise<RawResponse> {
    try {
      return await client.measure(request, this.#run.signal);
    } catch (error) {
      if (!(error instanceof PortalError) || error.code !== keywordsRefused) throw error;
      return { status: refusedStatus, body: Buffer.from(error.message) };
    }
  }
}

const refusedStatus = 400;
