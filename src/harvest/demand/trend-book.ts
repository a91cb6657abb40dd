import type { OpenRun } from '../runs/door-run.ts';
import { PortalError } from '../client/portal-error.ts';
import { readMeasurements, type Measurement } from '../../ingest/demand/measurement.ts';
import type { DemandReport } from '../../ingest/demand/ranking.ts';
import { keywordsRefused, type TrendClient, type TrendRequest } from './trend-client.ts';

/** Every measurement of a run, from the store or else from the service: what is stored is never asked for again. */
export class TrendBook {
  readonly #open: OpenRun;
  readonly #client: TrendClient | null;
  readonly #now: () => number;
  readonly #report: DemandReport;
  readonly #signal: AbortSignal | undefined;
  /** In the order in which they were asked for. */
  readonly measurements: Measurement[] = [];

  /** Without a client nobody is asked. */
  constructor(
    open: OpenRun,
    client: TrendClient | null,
    now: () => number,
    report: DemandReport,
    signal: AbortSignal | undefined,
  ) {
    this.#open = open;
    this.#client = client;
    this.#now = now;
    this.#report = report;
    this.#signal = signal;
  }

  /** One measurement; null where the service refuses these keywords. Throws `PortalError` for all else. */
  async measure(request: TrendRequest): Promise<Measurement | null> {
    const question = JSON.stringify(request);
    let kept = this.#open.kept.find(question);
    if (kept === null) {
      if (this.#client === null) {
        throw new Error('An answer is not stored: collect again without --reparse.');
      }
      const askedAt = new Date(this.#now()).toISOString();
      try {
        kept = { question, askedAt, ...(await this.#client.ask(request, this.#signal)) };
      } catch (error) {
        if (!(error instanceof PortalError) || error.code !== keywordsRefused) throw error;
        kept = { question, askedAt, status: refusedStatus, body: Buffer.from(error.message) };
      }
      this.#open.kept.keep(kept);
    }
    this.#open.count(request.keywordGroups.length);
    if (kept.status === refusedStatus) {
      const detail = Buffer.from(kept.body).toString('utf8');
      this.#report({ kind: 'measurement_refused', row: null, detail });
      return null;
    }
    const response: unknown = JSON.parse(new TextDecoder().decode(kept.body));
    const items = [{ request, response, measuredAt: kept.askedAt }];
    const [measurement = null] = readMeasurements(items, this.#report).measurements;
    if (measurement !== null) this.measurements.push(measurement);
    return measurement;
  }
}

/** What is kept of a question that will always be refused: why, instead of an answer. */
const refusedStatus = 400;
