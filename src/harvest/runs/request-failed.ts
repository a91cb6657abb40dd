import type { PortalError } from '../client/portal-error.ts';
import type { AxisDefinition } from '../operations/definition.ts';
import type { AxisRequest } from '../operations/requests.ts';
import { runLimits } from './limits.ts';

/** Failure of one request of a run, as the response store has it. */
export interface RequestFailure {
  readonly error: PortalError;
  /** Runs in which the request failed while others of its service were answered. */
  readonly runs: number;
}

/** Error that concerns one request: its service answers others, or refused this one. */
export class RequestFailed extends Error {
  readonly request: AxisRequest;
  /** Number of the copy of the page, from 0. */
  readonly copy: number;
  readonly failure: RequestFailure;

  constructor(request: AxisRequest, copy: number, failure: RequestFailure) {
    super(failure.error.message);
    this.name = 'RequestFailed';
    this.request = request;
    this.copy = copy;
    this.failure = failure;
  }

  /** True if the request is not sent again in this collection. */
  get isFinal(): boolean {
    return this.failure.runs >= runLimits.failedRunsMax;
  }
}

/** Adds an error to the failure of a request. Only the retry at the end of a run counts as a failed run. */
export function failureAfter(
  previous: RequestFailure | null,
  error: PortalError,
  isRetry: boolean,
): RequestFailure {
  const isRefusal = error.class === 'request';
  const isFinal = isRefusal && (isRetry || !isGone(error));
  if (isFinal) return { error, runs: runLimits.failedRunsMax };
  return { error, runs: (previous?.runs ?? 0) + (isRetry ? 1 : 0) };
}

/** True if the operation itself seems gone, which a gateway may report for a moment. */
export function isGone({ code }: PortalError): boolean {
  return goneCodes.has(code);
}

const goneCodes: ReadonlySet<string> = new Set(
  '12 api_not_found redirect_elsewhere http_404 http_410'.split(' '),
);

/** Name of a request for operators: the parameters in which the requests of its axis differ. */
export function requestName(axis: AxisDefinition, { path, parameters, page }: AxisRequest): string {
  const { json, paging } = axis;
  const same = [...Object.keys(axis.parameters), json?.parameter, paging.page, paging.size];
  const own = Object.entries(parameters)
    .filter(([name]) => !same.includes(name))
    .map(([name, value]) => `${name}=${value.slice(0, valueLengthMax)}`);
  const operation = path === axis.path ? [] : [path.slice(path.lastIndexOf('/') + 1)];
  const isPageNamed = page > 1 || own.length === 0;
  return [...operation, ...own, ...(isPageNamed ? [`page ${page}`] : [])].join(' ');
}

const valueLengthMax = 40;

/** Lists the first names, and states how many more there are. */
export function listNames(names: readonly string[]): string {
  const more = names.length - namesMax;
  return names.slice(0, namesMax).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

const namesMax = 5;
