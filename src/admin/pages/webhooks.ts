import { emptyHtml } from '../../web/layout.ts';
import { html, type Html } from '../../web/html.ts';
import { serviceReads } from '../api/service.ts';
import {
  actionButton,
  actionLink,
  badge,
  id,
  plainList,
  breakableText,
  moment,
  nextPageLink,
  number,
  table,
} from './table.ts';
import { wordOf, cursorOf, type Page, type View } from './view.ts';
import { words } from './words.ts';

/** Webhook endpoints and their messages, undelivered ones first. */
export const webhooksPage: Page = async (view) => {
  const { text } = view;
  const {
    endpoints,
    messages,
    next_cursor: cursor,
  } = await serviceReads.webhooks({ ...view, parameters: { before: cursorOf(view, 'before') } });
  const hosts = new Map(endpoints.map((one) => [one.id, URL.parse(one.url)?.host ?? one.id]));
  const failed = messages.filter(isUndelivered);
  const rest = messages.filter((message) => !isUndelivered(message));
  const earlier = text('이전 메시지', 'Earlier messages');
  return {
    title: text('웹훅', 'Webhooks'),
    main: html`${
        failed.length === 0
          ? emptyHtml
          : messagesTable(
              view,
              {
                caption: text('전송하지 못한 메시지', 'Undelivered messages'),
                file: 'undelivered',
              },
              failed,
              hosts,
            )
      }
      ${endpointsTable(view, endpoints)}
      <p class="act">${actionButton(view, 'addWebhook', text('웹훅 추가', 'Add a webhook'))}</p>
      ${messagesTable(view, { caption: text('전송했거나 대기 중인 메시지', 'Delivered and waiting messages'), file: 'messages' }, rest, hosts)}
      ${nextPageLink(view, '/webhooks', { name: 'before', cursor }, earlier)}`,
  };
};

type Webhooks = Awaited<ReturnType<typeof serviceReads.webhooks>>;
type Message = Webhooks['messages'][number];

export function deliveryStatus(message: Message): 'delivered' | 'waiting' | 'failing' | 'failed' {
  if (message.delivered_at !== null) return 'delivered';
  if (message.next_at === null) return 'failed';
  return message.attempts === 0 ? 'waiting' : 'failing';
}

function isUndelivered(message: Message): boolean {
  return ['failing', 'failed'].includes(deliveryStatus(message));
}

function endpointsTable(view: View, rows: Webhooks['endpoints']): Html {
  const { text } = view;
  return table(view, {
    caption: text('받는 주소', 'Endpoints'),
    rows,
    file: 'webhooks',
    empty: text(
      '등록된 웹훅이 없어 메시지를 보내지 않습니다.',
      'There are no webhooks, so no messages are sent.',
    ),
    columns: [
      [text('주소', 'URL'), ({ url }) => breakableText(url)],
      [text('플랫폼', 'Platform'), ({ platform }) => platform ?? text('운영자', 'Operator')],
      [
        text('상태', 'Status'),
        ({ disabled }) =>
          disabled
            ? badge(text('중지', 'Disabled'), 'warn')
            : badge(text('사용 중', 'Enabled'), 'good'),
      ],
      [
        text('작업', 'Actions'),
        (row) =>
          row.disabled
            ? html`${actionLink(view, 'enableWebhook', ['id', row.id], text('재개', 'Enable'))}
              ${actionLink(view, 'removeWebhook', ['id', row.id], text('삭제', 'Remove'))}`
            : actionLink(view, 'disableWebhook', ['id', row.id], text('중지', 'Disable')),
        'action',
      ],
      [
        text('보낼 메시지', 'Messages to send'),
        ({ types }) => plainList(types.map((type) => wordOf(view, words.webhook, type))),
      ],
      [text('웹훅 번호', 'Webhook id'), (row) => id(row.id)],
      [text('추가 시각', 'Added'), (row) => moment(row.created_at)],
    ],
  });
}

function messagesTable(
  view: View,
  { caption, file }: { readonly caption: string; readonly file: string },
  rows: readonly Message[],
  hosts: ReadonlyMap<string, string>,
): Html {
  const { text } = view;
  return table(view, {
    caption,
    rows,
    file,
    empty: text('없습니다.', 'None.'),
    columns: [
      [text('번호', 'Number'), (row) => String(row.id), 'number'],
      [text('상태', 'Status'), (row) => statusBadge(view, row)],
      [
        text('작업', 'Actions'),
        (row) =>
          actionLink(view, 'replayMessage', ['id', String(row.id)], text('재전송', 'Send again')),
        'action',
      ],
      [text('메시지', 'Message'), ({ type }) => wordOf(view, words.webhook, type)],
      [text('받는 곳', 'Endpoint'), (row) => hosts.get(row.endpoint_id) ?? row.endpoint_id],
      [text('시도', 'Attempts'), ({ attempts }) => number(attempts), 'number'],
      [
        text('마지막 응답', 'Last response'),
        ({ status, attempts }) =>
          status?.toString() ?? (attempts === 0 ? '–' : text('응답 없음', 'None')),
      ],
      [text('생성 시각', 'Created'), (row) => moment(row.created_at, 'second')],
      [text('다음 시도', 'Next attempt'), (row) => moment(row.next_at, 'second')],
      [text('전송 시각', 'Delivered'), (row) => moment(row.delivered_at, 'second')],
    ],
  });
}

function statusBadge({ text }: View, message: Message): Html {
  return {
    delivered: badge(text('전송됨', 'Delivered'), 'good'),
    waiting: badge(text('대기', 'Waiting')),
    failing: badge(text('재시도 중', 'Retrying'), 'warn'),
    failed: badge(text('실패', 'Failed'), 'bad'),
  }[deliveryStatus(message)];
}
