import type { Row } from '../../data/axis.ts';
import type { PortalClient } from '../client/portal-client.ts';
import { PortalError } from '../client/portal-error.ts';
import { tableDefinition } from '../datasets/collect-table.ts';
import { standardHeaders } from '../datasets/spelling.ts';
import { standardOperations } from '../datasets/standard-operation.ts';
import type { AxisDefinition } from '../operations/definition.ts';
import type { Loop } from '../operations/enumeration.ts';
import { collectionOrder } from '../operations/order.ts';
import { requestsOf, type AxisRequest } from '../operations/requests.ts';
import { readPage } from '../runs/page-facts.ts';
import { isGone } from '../runs/request-failed.ts';
import type { StoredAxes } from '../runs/stored-axes.ts';
import { assumptions, type Assumption } from './assumptions.ts';
import { findDifferences, type Difference } from './differences.ts';

/** Result of one request to one operation. */
export interface ProbedOperation {
  /** Code of the operation's axis; `null` for a list request. */
  readonly code: string | null;
  /** Host and path, without a scheme. */
  readonly operation: string;
  readonly portalId: string;
  /** `not_sent`: the request needs records that are not collected yet, or the quota is spent. */
  readonly outcome: 'answered' | 'empty' | 'failed' | 'not_sent';
  /** HTTP status; null without a response. */
  readonly status: number | null;
  /** Cause and next step of a request that was not answered; null otherwise. */
  readonly message: string | null;
  readonly rows: number;
  readonly total: number | null;
  readonly pageSizeRequested: number;
  /** Headers about a quota, by name. */
  readonly quotaHeaders: Readonly<Record<string, string>>;
  readonly differences: readonly Difference[];
  /** Assumptions of this operation that its answer may confirm. */
  readonly assumptions: readonly Assumption[];
}

interface ProbeOptions {
  readonly client: PortalClient;
  /** Served axes; their records stand in for those of an operation that was not answered. */
  readonly stored: StoredAxes;
  readonly now: number;
  readonly signal: AbortSignal;
  /** Runs after each operation. */
  readonly onOperation: (operation: ProbedOperation, done: number, total: number) => void;
}

/**
 * Sends one request to each operation of the given axes, one at a time, and compares the answers with the
 * definitions. Nothing is stored or published. Codes are those of axes, and `file_<number>` for standard data.
 */
export async function probeOperations(
  codes: readonly string[],
  options: ProbeOptions,
): Promise<readonly ProbedOperation[]> {
  const targets = probeTargets().filter(({ code }) => codes.includes(code));
  const probe = new Probe(options, targets.length);
  for (const axis of targets) {
    options.signal.throwIfAborted();
    await probe.probeAxis(axis);
  }
  return probe.operations;
}

/** Every operation that can be probed: the axes in the order of their collection, then the standard data. */
export function probeTargets(): readonly AxisDefinition[] {
  const axes = collectionOrder();
  const paths = new Set(axes.map(({ path }) => path));
  const standard = standardOperations
    .map(({ number, operation, title }) => {
      const path = `api.data.go.kr/openapi/${operation}`;
      const table = { upstream: 'standard', path, title, date: null, columns: [] } as const;
      return tableDefinition(`file_${number}`, number, table);
    })
    .filter(({ path }) => !paths.has(path));
  return [...axes, ...standard];
}

class Probe {
  readonly operations: ProbedOperation[] = [];
  readonly #options: ProbeOptions;
  readonly #total: number;
  readonly #assumptions = assumptions();
  /** Records of the answers so far, by axis. */
  readonly #records = new Map<string, readonly Row[]>();
  /** Rows of list requests, by operation. */
  readonly #lists = new Map<string, readonly Row[]>();
  #done = 0;

  constructor(options: ProbeOptions, total: number) {
    this.#options = options;
    this.#total = total;
  }

  async probeAxis(axis: AxisDefinition): Promise<void> {
    const request = await this.#chooseRequest(axis);
    const operation =
      request === null ? this.#notSent(axis) : await this.#send(axis, request, axis.code);
    this.#done++;
    this.#options.onOperation(operation, this.#done, this.#total);
  }

  /**
   * Chooses one request for records, and sends each list request that it needs once. For years and elections it chooses
   * a later request, since the first are often empty.
   */
  async #chooseRequest(axis: AxisDefinition): Promise<AxisRequest | null> {
    const context = {
      now: this.#options.now,
      since: null,
      recordsOf: (code: string) => this.#recordsOf(code),
      answerRows: async (request: AxisRequest) => {
        if (request.hasRecords) return [];
        if (!this.#lists.has(request.path)) await this.#send(axis, request, null);
        return this.#lists.get(request.path) ?? [];
      },
    };
    const share = Math.max(0, ...axis.enumeration.map(({ kind }) => positionOfKind[kind] ?? 0));
    const requests: AxisRequest[] = [];
    for await (const request of requestsOf(axis, context)) {
      if (request.hasRecords) requests.push(request);
      if (requests.length >= (share === 0 ? 1 : choicesMax)) break;
    }
    return requests[Math.floor(requests.length * share)] ?? null;
  }

  async *#recordsOf(code: string): AsyncGenerator<Row, void, undefined> {
    const answered = this.#records.get(code) ?? [];
    if (answered.length > 0) yield* answered;
    else if (this.#options.stored.has(code)) yield* this.#options.stored.records(code);
  }

  async #send(
    axis: AxisDefinition,
    request: AxisRequest,
    code: string | null,
  ): Promise<ProbedOperation> {
    const { client, signal } = this.#options;
    let quotaHeaders: Record<string, string> = {};
    const onHeaders = (headers: Headers): void => void (quotaHeaders = quotaHeadersIn(headers));
    const facts = {
      code,
      operation: request.path,
      portalId: request.portalId ?? axis.portalId,
      pageSizeRequested: axis.paging.pageSize,
      assumptions: code === null ? [] : this.#assumptions.filter((each) => each.code === code),
    };
    try {
      const answer = await client.call(request, { signal, onHeaders });
      const page = readPage(answer, axis, request);
      const rows = page.rows.map((cells) =>
        Object.fromEntries(page.columns.map((name, at) => [name, cells[at] ?? null])),
      );
      if (code === null) this.#lists.set(request.path, rows);
      else this.#records.set(code, rows);
      const comparedPage =
        code?.startsWith('file_') === true ? withoutFieldsWithHeader(axis, page) : page;
      return this.#add({
        ...facts,
        outcome: rows.length === 0 ? 'empty' : 'answered',
        status: answer.status,
        message: null,
        rows: rows.length,
        total: answer.total,
        quotaHeaders,
        differences: code === null ? [] : findDifferences(axis, answer, comparedPage, quotaHeaders),
      });
    } catch (error) {
      if (!(error instanceof PortalError)) throw error;
      if (code === null) this.#lists.set(request.path, []);
      const { reason, advice } = error;
      const detail = `The operation is not served: ${reason}.`;
      return this.#add({
        ...facts,
        ...noAnswer,
        outcome: error.code === 'quota_spent' ? 'not_sent' : 'failed',
        status: error.status,
        message: `${reason}. ${advice}`,
        quotaHeaders,
        differences: isGone(error) ? [{ kind: 'operation', detail }] : [],
      });
    }
  }

  #notSent(axis: AxisDefinition): ProbedOperation {
    return this.#add({
      ...noAnswer,
      code: axis.code,
      operation: axis.path,
      portalId: axis.portalId,
      outcome: 'not_sent',
      message: 'Its request needs a record of another axis: collect that axis, then probe again.',
      pageSizeRequested: axis.paging.pageSize,
      assumptions: this.#assumptions.filter(({ code }) => code === axis.code),
    });
  }

  #add(operation: ProbedOperation): ProbedOperation {
    this.operations.push(operation);
    return operation;
  }
}

/** Position of the chosen request in a loop, as a share of its requests; 0 for any other loop. */
const positionOfKind: Readonly<Partial<Record<Loop['kind'], number>>> = {
  years: 0.9,
  spans: 0.9,
  records: 0.9,
  'newest-year': 0.5,
};

/** Most requests from which one is chosen. */
const choicesMax = 400;

const noAnswer = { status: null, rows: 0, total: null, quotaHeaders: {}, differences: [] } as const;

/** Reduces the unknown fields to those without a Korean header: the definition of standard data has no fields itself. */
function withoutFieldsWithHeader(axis: AxisDefinition, page: ReturnType<typeof readPage>) {
  const headers = standardHeaders(axis.portalId);
  const hasHeader = (name: string): boolean =>
    headers.has(name.toLowerCase()) || /[가-힣]/.test(name);
  return { ...page, unknownFields: page.unknownFields.filter((name) => !hasHeader(name)) };
}

/** Headers such as `X-RateLimit-Limit-Day`; others are of no interest here. */
function quotaHeadersIn(headers: Headers): Record<string, string> {
  const names = [...headers].filter(([name]) => /quota|rate-?limit|traffic/i.test(name));
  return Object.fromEntries(names.slice(0, headersMax).map(([name, value]) => [name, value]));
}

const headersMax = 10;
