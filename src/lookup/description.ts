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
  /** The services behind the same address; this one alone when absent. */
  readonly services?: readonly DescribedService[];
}

/** Publishes the description of the interface, with the current axis codes. */
export function addDescription(router: Router, options: DescriptionOptions): void {
  const { holder, settings, services = ['lookup'] } = options;
  const { MARU_BASE_URL: baseUrl } = settings;
  const write = (axisCodes: readonly string[], language: Language): Buffer =>
    Buffer.from(JSON.stringify(openApi({ services, axisCodes, baseUrl, language })));
  // Hundreds of codes are written once a snapshot and language.
  const written = perStore(({ axes }) => {
    const bodies = new Map<Language, Buffer>();
    return (language: Language): Buffer => {
      let body = bodies.get(language);
      if (body === undefined) bodies.set(language, (body = write([...axes.keys()], language)));
      return body;
    };
  });
  router.get('/openapi.json', (request) => {
    const lease = holder.current();
    const { language } = request;
    const body = lease === null ? write([], language) : written(lease.store)(language);
    lease?.release();
    return cacheable({ body, type: jsonType }, { vary: 'Accept-Encoding, Accept-Language' });
  });
}
