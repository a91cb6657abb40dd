import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { backoffMs } from '../client/backoff.ts';
import { createCircuit } from '../client/circuit.ts';
import { systemClock, type Clock } from '../client/clock.ts';
import { faultOfStatus, faultOfWords, type Fault } from '../../data/portal/fault.ts';
import { portalLimits, type PortalLimits } from '../client/limits.ts';
import { createPace } from '../client/pace.ts';
import { PortalError } from '../client/portal-error.ts';
import { openThrough } from '../client/transport.ts';
import { adviceForFile } from './advice.ts';
import { datasetLimits } from './limits.ts';

/** The pages and files of www.data.go.kr, which need no key. */
export interface PortalSite {
  /** Asks until `read` makes sense of the text, or refuses it twice alike. Throws `PortalError`. */
  ask<Read extends object>(
    target: string,
    read: (text: string) => Read | Fault,
    watch?: Watch,
  ): Promise<Read>;
  /** Downloads into a file, durably, until `judge` has no fault to find. Throws `PortalError`. */
  download(
    target: string,
    path: string,
    judge: (file: SavedFile) => Fault | null,
    watch?: Watch,
  ): Promise<SavedFile>;
}

/** Who looks on: may stop it, and is told of each call before it is made and of a file as it comes. */
export interface Watch {
  readonly signal?: AbortSignal | undefined;
  readonly onCall?: (() => void) | undefined;
  readonly onBytes?: ((bytes: number) => void) | undefined;
}

export interface SavedFile {
  readonly bytes: number;
  /** In hex. */
  readonly sha256: string;
  /** `Content-Disposition`, a character a byte. */
  readonly disposition: string | null;
}

export interface PortalSiteOptions {
  /** `http://host:port` that stands for every host of the portal; null for the portal itself. */
  readonly gateway: string | null;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly limits?: Partial<PortalLimits>;
  readonly fileBytesMax?: number;
  readonly pageBytesMax?: number;
}

export function createPortalSite(options: PortalSiteOptions): PortalSite {
  const { gateway, clock = systemClock, random = Math.random } = options;
  const { fileBytesMax, pageBytesMax } = { ...datasetLimits, ...options };
  const limits = {
    ...portalLimits,
    overallTimeoutMs: datasetLimits.fileTimeoutMs,
    ...options.limits,
  };
  const pace = createPace(limits.callsPerSecond, clock);
  const circuit = createCircuit(limits);

  async function once<Taken extends object>(
    target: string,
    receive: (response: Response) => Promise<Taken | Fault>,
    { signal, onCall }: Watch,
  ): Promise<Taken | Fault> {
    if (!circuit.lets(hostOf(target), clock.now())) return circuitOpen;
    const call = async (): Promise<null> => {
      await pace.turn(signal);
      onCall?.();
      return null;
    };
    await call();
    const taken = await openThrough(
      target,
      headersFor(target),
      { fetch, gateway: gateway?.replace(/\/+$/, '') ?? null, limits, mayFollow: call },
      async (response) => (response.ok ? receive(response) : refusalOf(response)),
      signal,
    );
    if (isFault(taken) && taken.class === 'retry') circuit.failed(hostOf(target), clock.now());
    else circuit.succeeded(hostOf(target));
    return taken;
  }

  /** What is said twice alike is believed; what passes is asked for again after a while. */
  async function until<Taken extends object>(
    target: string,
    receive: (response: Response) => Promise<Taken | Fault>,
    watch: Watch,
  ): Promise<Taken> {
    const { signal } = watch;
    let before = '';
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted();
      const taken = await once(target, receive, watch);
      if (!isFault(taken)) return taken;
      const isSure = taken.class !== 'retry' && taken.code === before;
      const isSettled = isSure || taken === circuitOpen || taken.code === 'body_too_large';
      if (isSettled || attempt >= limits.attemptsMax) {
        throw errorOf(target, taken, attempt, clock.now());
      }
      before = taken.code;
      if (taken.class === 'retry') await clock.wait(backoffMs(attempt, random, limits), signal);
    }
  }

  return {
    ask: (target, read, watch = {}) =>
      until(target, async (response) => readText(response, read, pageBytesMax), watch),
    download: (target, path, judge, watch = {}) =>
      until(
        target,
        async (response) => {
          const saved = await save(response, path, fileBytesMax, watch);
          return isFault(saved) ? saved : (judge(saved) ?? saved);
        },
        watch,
      ),
  };
}

const circuitOpen: Fault = {
  class: 'retry',
  code: 'circuit_open',
  message: 'it failed again and again and is left alone for a while',
};

export function isFault(taken: object): taken is Fault {
  return 'class' in taken && 'code' in taken && 'message' in taken;
}

async function readText<Read extends object>(
  response: Response,
  read: (text: string) => Read | Fault,
  bytesMax: number,
): Promise<Read | Fault> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > bytesMax) return tooLarge(bytesMax);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks, size)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  return faultOfWords(text) ?? read(text);
}

/** Written as it comes: a file may be larger than memory. */
async function save(
  response: Response,
  path: string,
  bytesMax: number,
  { onBytes }: Watch,
): Promise<SavedFile | Fault> {
  const told = Number(response.headers.get('content-length') ?? '0');
  if (told > bytesMax) {
    await response.body?.cancel();
    return tooLarge(bytesMax);
  }
  const digest = createHash('sha256');
  const descriptor = openSync(path, 'w');
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      if (bytes + chunk.byteLength > bytesMax) return tooLarge(bytesMax);
      for (let done = 0; done < chunk.byteLength;) {
        done += writeSync(descriptor, chunk, done, chunk.byteLength - done);
      }
      digest.update(chunk);
      bytes += chunk.byteLength;
      onBytes?.(bytes);
    }
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  const disposition = response.headers.get('content-disposition');
  return { bytes, sha256: digest.digest('hex'), disposition };
}

function tooLarge(most: number): Fault {
  return { class: 'request', code: 'body_too_large', message: `more than ${most} bytes came` };
}

async function refusalOf(response: Response): Promise<Fault> {
  const text = (await response.text()).slice(0, portalLimits.messageLengthMax);
  return faultOfWords(text) ?? faultOfStatus(response.status, '');
}

function headersFor(target: string): Record<string, string> {
  const number = /(?:\/data\/|publicDataPk=)(\d+)/.exec(target)?.[1];
  const page = number === undefined ? '' : `data/${number}/fileData.do`;
  return {
    // Calls without a `User-Agent` can be blocked, and some servers want to be asked as their own page asks.
    'User-Agent': 'Maru/1.0 (open data collector)',
    Referer: `https://www.data.go.kr/${page}`,
    ...(target.includes('/tcs/dss/') ? { 'X-Requested-With': 'XMLHttpRequest' } : {}),
  };
}

function hostOf(target: string): string {
  return target.slice(0, target.indexOf('/'));
}

function errorOf(target: string, fault: Fault, attempts: number, now: number): PortalError {
  const { code, message } = fault;
  return new PortalError({
    code,
    class: fault.class,
    message: `${message === '' ? 'no reason was given' : message} (${code})`,
    advice: adviceForFile(fault),
    operation: target.replace(/\?.*/, ''),
    status: null,
    attempts,
    retryAt: fault.class === 'retry' ? now + portalLimits.circuitOpenMs : null,
  });
}
