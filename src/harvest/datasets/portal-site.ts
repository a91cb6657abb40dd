import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { faultOfStatus, faultOfWords, isFault, type Fault } from '../../data/portal/fault.ts';
import { createClient, type ClientOptions, type SendOptions } from '../client/client.ts';
import { portalLimits } from '../client/limits.ts';
import type { UpstreamRequest } from '../client/request.ts';
import { readBounded, tooLarge } from '../client/transport.ts';
import { adviceForFile } from './advice.ts';
import { datasetLimits } from './limits.ts';

/** The pages and files of www.data.go.kr, which need no key. */
export interface PortalSite {
  /** Fetches a page; `read` returns a fault for a wrong page. Throws `PortalError`. */
  fetchPage<Content extends object>(
    request: SiteRequest,
    read: (text: string, body: Uint8Array) => Content | Fault,
    options?: SendOptions,
  ): Promise<Content>;
  /** Downloads into a file, durably; `findFault` returns a fault for a wrong file. Throws `PortalError`. */
  download(
    request: SiteRequest,
    path: string,
    findFault: () => Fault | null,
    options?: DownloadOptions,
  ): Promise<SavedFile>;
}

export type SiteRequest = Pick<UpstreamRequest, 'path' | 'parameters'>;

export interface DownloadOptions extends SendOptions {
  /** Receives the number of bytes so far. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
}

interface SavedFile {
  readonly bytes: number;
  /** In hex. */
  readonly sha256: string;
  /** `Content-Disposition`, one character for each byte. */
  readonly disposition: string | null;
}

interface PortalSiteOptions extends ClientOptions {
  readonly fileBytesMax?: number;
}

export function createPortalSite(options: PortalSiteOptions): PortalSite {
  const { fileBytesMax } = { ...datasetLimits, ...options };
  const client = createClient({
    ...options,
    limits: { bodyBytesMax: datasetLimits.pageBytesMax, ...options.limits },
    advice: adviceForFile,
    // During maintenance the site reports existing files as missing.
    confirmsRefusals: true,
  });
  const overallTimeoutMs = options.limits?.overallTimeoutMs ?? datasetLimits.fileTimeoutMs;
  return {
    fetchPage: (request, read, sendOptions) =>
      client.send(
        requestFor(request),
        ({ status, body }) => {
          const text = Buffer.from(body)
            .toString('utf8')
            .replace(/^\uFEFF/, '');
          if (status < 200 || status > 299) return refusalOf(status, text);
          return faultOfWords(text) ?? read(text, body);
        },
        sendOptions,
      ),
    download: (request, path, findFault, downloadOptions = {}) =>
      client.receive(
        requestFor(request),
        async (response) => {
          if (!response.ok) return refusalIn(response);
          const saved = await save(response, path, fileBytesMax, downloadOptions);
          return isFault(saved) ? saved : (findFault() ?? saved);
        },
        { ...downloadOptions, overallTimeoutMs },
      ),
  };
}

/** Adds the headers of the site's own pages, without which some of its servers refuse a request. */
function requestFor({ path, parameters }: SiteRequest): UpstreamRequest {
  const number = /\/data\/(\d+)/.exec(path)?.[1] ?? parameters['publicDataPk'];
  const page = number === undefined ? '' : `data/${number}/fileData.do`;
  return {
    path,
    service: path.slice(0, path.indexOf('/')),
    parameters,
    key: null,
    dailyQuota: null,
    portalId: null,
    headers: {
      Referer: `https://www.data.go.kr/${page}`,
      ...(path.includes('/tcs/dss/') ? { 'X-Requested-With': 'XMLHttpRequest' } : {}),
    },
  };
}

/** Writes the body as it arrives: a file may be larger than memory. */
async function save(
  response: Response,
  path: string,
  bytesMax: number,
  { onBytes }: DownloadOptions,
): Promise<SavedFile | Fault> {
  const announced = Number(response.headers.get('content-length') ?? '0');
  if (announced > bytesMax) {
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

async function refusalIn(response: Response): Promise<Fault> {
  const raw = await readBounded(response, portalLimits.bodyBytesMax);
  return isFault(raw) ? raw : refusalOf(raw.status, Buffer.from(raw.body).toString('utf8'));
}

function refusalOf(status: number, text: string): Fault {
  return faultOfWords(text) ?? faultOfStatus(status, '');
}
