import { openApi } from '../../contract/openapi.ts';
import { cacheable } from '../../kernel/http/conditional.ts';
import { requireOwnMachine } from '../../kernel/http/own-machine.ts';
import { closedPolicy } from '../../kernel/http/response-policy.ts';
import { jsonType, plainText } from '../../kernel/http/result.ts';
import type { Router } from '../../kernel/http/router.ts';
import type { MembersHost } from './host.ts';

/** Adds the OpenAPI document, health and metrics to a process that serves only members. */
export function addMembersDescription(router: Router, { context, ownOrigin }: MembersHost): void {
  router.get('/openapi.json', ({ language }) => {
    const description = openApi({
      services: ['members'],
      axisCodes: [],
      baseUrl: ownOrigin,
      language,
    });
    const body = Buffer.from(JSON.stringify(description));
    return cacheable({ body, type: jsonType }, { vary: 'Accept-Encoding, Accept-Language' });
  });
  const options = { policy: closedPolicy };
  router.get('/healthz', () => plainText('ok\n'), options);
  router.get(
    '/readyz',
    async () => plainText(`ready ${(await context.platforms.all()).length} platforms\n`),
    options,
  );
  router.get(
    '/metrics',
    (request) => {
      requireOwnMachine(request);
      return plainText(router.server.metrics.text());
    },
    options,
  );
}
