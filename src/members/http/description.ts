import { openApi } from '../../contract/openapi.ts';
import { respondDocument } from '../../kernel/http/document.ts';
import { respondText, toOwnMachine } from '../../kernel/http/plain-text.ts';
import { route } from '../../kernel/http/route.ts';
import type { MembersHost } from './host.ts';

/** For a process that serves members alone: its description, health and metrics. */
export function addMembersDescription({ app, front, context, ownOrigin }: MembersHost): void {
  route(app, front, '/openapi.json', (exchange) => {
    const { language } = exchange;
    const description = openApi({
      services: ['members'],
      axisCodes: [],
      baseUrl: ownOrigin,
      language,
    });
    const content = {
      body: Buffer.from(JSON.stringify(description)),
      type: 'application/json; charset=utf-8',
    };
    const vary = 'Accept-Encoding, Accept-Language';
    return respondDocument(front, exchange, content, { vary });
  });
  route(app, front, '/healthz', (exchange) => respondText(front, exchange, 'ok\n'));
  route(app, front, '/readyz', async (exchange) => {
    const platforms = await context.platforms.all();
    return respondText(front, exchange, `ready ${platforms.length} platforms\n`);
  });
  route(app, front, '/metrics', (exchange) => {
    toOwnMachine(exchange);
    return respondText(front, exchange, front.metrics.text());
  });
}
