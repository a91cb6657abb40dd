import { openApi, type DescribedService } from '../contract/openapi.ts';
import { respondDocument } from '../kernel/http/document.ts';
import type { Front } from '../kernel/http/front.ts';
import { route, type App } from '../kernel/http/route.ts';
import type { Settings } from '../kernel/settings.ts';
import { jsonType } from './answers.ts';
import type { StoreHolder } from './current-store.ts';

export interface DescriptionOptions {
  readonly holder: StoreHolder;
  readonly settings: Pick<Settings, 'MARU_BASE_URL'>;
  readonly front: Front;
  /** The services behind the same address; this one alone when absent. */
  readonly services?: readonly DescribedService[];
}

/** Publishes the interface's description, with the codes held at the moment. */
export function addDescription(app: App, options: DescriptionOptions): void {
  const { holder, settings, front, services = ['lookup'] } = options;
  route(app, front, '/openapi.json', (exchange) => {
    const lease = holder.current();
    const axisCodes = lease === null ? [] : [...lease.store.axes.keys()];
    lease?.release();
    const { language } = exchange;
    const { MARU_BASE_URL: baseUrl } = settings;
    const description = openApi({ services, axisCodes, baseUrl, language });
    const body = Buffer.from(JSON.stringify(description));
    const vary = 'Accept-Encoding, Accept-Language';
    return respondDocument(front, exchange, { body, type: jsonType }, { vary });
  });
}
