import type { Fault } from '../../data/portal/fault.ts';
import { isFault } from '../../data/portal/fault.ts';
import type { Log } from '../../kernel/log.ts';
import { brokenJson, readAnswer, type PortalAnswer } from '../protocol/answer.ts';
import { adviceFor } from './advice.ts';
import { createClient, type ClientOptions, type SendOptions } from './client.ts';
import { PortalError } from './portal-error.ts';
import type { QuotaStore } from './quota.ts';
import { createRedactor } from './redact.ts';
import type { UpstreamRequest } from './request.ts';
import { readServiceKey, spellingsOf } from './service-key.ts';
import type { RawResponse } from './transport.ts';

/** Client of the portal's gateway: all operations of its API. */
export interface PortalClient {
  /** Sends a request; its answer may have no records. Throws `PortalError`, or the signal's reason. */
  call(
    request: UpstreamRequest,
    options?: Pick<SendOptions, 'signal' | 'onHeaders'>,
  ): Promise<PortalAnswer>;
}

export interface PortalClientOptions extends ClientOptions {
  /** The key in either of the portal's spellings; null for operations without a key. */
  readonly serviceKey: string | null;
  readonly quota: QuotaStore;
  readonly log: Log;
}

export function createPortalClient(options: PortalClientOptions): PortalClient {
  const { serviceKey, log } = options;
  const key = serviceKey === null ? null : readServiceKey(serviceKey);
  const client = createClient({
    ...options,
    key,
    redactor: createRedactor(key === null ? [] : spellingsOf(key)),
    headers: { Accept: 'application/json, application/xml;q=0.9, */*;q=0.5' },
    advice: adviceAbout,
  });

  /** Creates a reader for the attempts of one request. It mends JSON that is broken in the same way twice. */
  function createReader(): (response: RawResponse) => PortalAnswer | Fault {
    let broken: Uint8Array | null = null;
    return ({ body, status }) => {
      const isRepeated = broken !== null && Buffer.compare(broken, body) === 0;
      const answer = readAnswer(body, status, isRepeated);
      if (isFault(answer)) {
        if (answer.code === brokenJson) broken = body;
      } else if (log.isEnabled('debug')) {
        const { rows, total } = answer;
        log.debug('portal.answer', { rows: rows.length, total, bytes: body.byteLength });
      }
      return answer;
    };
  }

  return {
    async call(request, sendOptions = {}) {
      if (request.key !== null && key === null) throw missingKeyError(request);
      return client.send(request, createReader(), sendOptions);
    },
  };
}

/** Advice for a fault. A dataset of standard data also has a file, and another page on the portal. */
function adviceAbout(fault: Fault, { portalId, path }: UpstreamRequest): string {
  const isStandard = portalId !== null && path.startsWith('api.data.go.kr/openapi/tn_pubr_');
  return adviceFor(fault, portalId, isStandard ? 'STD' : 'API');
}

function missingKeyError(request: UpstreamRequest): PortalError {
  const fault: Fault = { class: 'service', code: 'no_key', message: 'there is no service key' };
  return new PortalError({
    ...fault,
    reason: `${fault.message} (${fault.code})`,
    advice: adviceAbout(fault, request),
    operation: request.path,
    status: null,
    attempts: 0,
    retryAt: null,
  });
}
