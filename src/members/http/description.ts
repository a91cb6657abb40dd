import { openApi } from '../../contract/openapi.ts';
import { respondDocument } from '../../kernel/http/document.ts';
import { respondText, toOwnMachine } from '../../kernel/http/plain-text.ts';
import { route } from '../../kernel/http/route.ts';
import type { MembersHost } from './host.ts';

/** For a process that serves members alone: its description, health and metrics. */
export function addMembersDescription({ app, front, context, ownOrigin }: MembersHost): void {
  route(app, front, '/openapi.json', (request) => {
    const { language } = request;
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
    return respondDocument(front, request, content, { vary });
  });
  route(app, front, '/healthz', (request) => respondText(front, request, 'ok\n'));
  route(app, front, '/readyz', async (request) => {
    const platforms = await context.platforms.all();
    return respondText(front, request, `ready ${platforms.length} platforms\n`);
  });
  route(app, front, '/metrics', (request) => {
    toOwnMachine(request);
    return respondText(front, request, front.metrics.text());
  });
}
