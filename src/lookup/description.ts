import { openApi, type DescribedService } from '../contract/openapi.ts';
import { cacheable } from '../kernel/http/conditional.ts';
import { jsonType } from '../kernel/http/result.ts';
import type { Language } from '../contract/language.ts';
import type { Router } from '../kernel/http/router.ts';
import type { Settings } from '../kernel/settings.ts';
import type { StoreHolder } from './current-store.ts';
import { perStore } from './per-store.ts';

interface DescriptionOptions {
  readonly holder: StoreHolder;
  readonly settings: Pick<Settings, 'MARU_BASE_URL'>;
  /** Services at the same address; lookup alone when absent. */
  readonly services?: readonly DescribedService[];
}

/**
 * Serves the OpenAPI descriptions, with the current axis codes: `/openapi.json` of all services at this address,
 * `/openapi/lookup.json` of lookup alone.
 */
export function addDescription(router: Router, options: DescriptionOptions): void {
  const { services = ['lookup'] } = options;
  serveDescription(router, '/openapi.json', { ...options, services });
  serveDescription(router, '/openapi/lookup.json', { ...options, services: ['lookup'] });
}

function serveDescription(
  router: Router,
  path: string,
  { holder, settings, services }: Required<DescriptionOptions>,
): void {
  const { MARU_BASE_URL: baseUrl } = settings;
  const writeBody = (axisCodes: readonly string[], language: Language): Buffer =>
    Buffer.from(JSON.stringify(openApi({ services, axisCodes, baseUrl, language })));
  // It names hundreds of codes, so it is written once for each snapshot and language.
  const bodyOf = perStore(({ axes }) => {
    const bodies = new Map<Language, Buffer>();
    return (language: Language): Buffer => {
      let body = bodies.get(language);
      if (body === undefined) bodies.set(language, (body = writeBody([...axes.keys()], language)));
      return body;
    };
  });
  router.get(path, (request) => {
    const lease = holder.lease();
    const { language } = request;
    const body = lease === null ? writeBody([], language) : bodyOf(lease.store)(language);
    lease?.release();
    return cacheable({ body, type: jsonType }, { vary: 'Accept-Encoding, Accept-Language' });
  });
}
