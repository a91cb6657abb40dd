import { badge, deedLink, furtherLink, id, listed, moment, number, table } from './table.ts';
import { rowsOf, textOf, textsOf, wordOf, type Page, type Row, type View } from './view.ts';
import { words } from './words.ts';
import { nothing } from '../../web/layout.ts';
import { html, type Html } from '../../web/html.ts';

/** Receivers, and what was sent to them: what failed first. */
export const webhooksPage: Page = async (view) => {
  const { ask, say, query } = view;
  const before = query.get('before');
  const answer = await ask('webhooks', { query: before === null ? {} : { before } });
  const endpoints = rowsOf(answer['endpoints']);
  const urls = new Map(endpoints.map((row) => [row['id'], textOf(row['url'])]));
  const messages = rowsOf(answer['messages']);
  const failed = messages.filter(isFailed);
  const rest = messages.filter((message) => !isFailed(message));
  return {
    title: say('웹훅', 'Webhooks'),
    main: html`${
        failed.length === 0
          ? nothing
          : messagesTable(view, say('전하지 못한 것', 'Not delivered'), failed, urls)
      }
      ${endpointsTable(view, endpoints)}
      <p class="act">
        <a class="button" href="/deeds/addWebhook">${say('웹훅 추가', 'Add a webhook')}</a>
      </p>
      ${messagesTable(view, say('전한 것과 보낼 것', 'Delivered and waiting'), rest, urls)}
      ${furtherLink(view, '/webhooks', { before: answer['next_cursor'] }, say('이전 전송', 'Earlier messages'))}`,
  };
};

/** How a message stands. */
export function wayOf(message: Row): 'delivered' | 'waiting' | 'failing' | 'given_up' {
  if (message['delivered_at'] !== null) return 'delivered';
  if (message['next_at'] === null) return 'given_up';
  return message['attempts'] === 0 ? 'waiting' : 'failing';
}

function isFailed(message: Row): boolean {
  return ['failing', 'given_up'].includes(wayOf(message));
}

function endpointsTable(view: View, rows: readonly Row[]): Html {
  const { say } = view;
  return table({
    caption: say('받는 곳', 'Receivers'),
    rows,
    empty: say('받는 곳이 없습니다. 아무것도 보내지 않습니다.', 'There are none: nothing is sent.'),
    columns: [
      {
        label: say('주소', 'Address'),
        cell: ({ url }) => html`<span class="long">${textOf(url)}</span>`,
      },
      {
        label: say('상태', 'Status'),
        cell: ({ disabled }) =>
          disabled === true
            ? badge(say('멈춤', 'Stopped'), 'warn')
            : badge(say('보냄', 'On'), 'good'),
      },
      {
        label: say('하기', 'Actions'),
        cell: (row) =>
          row['disabled'] === true
            ? deedLink('enableWebhook', { id: row['id'] }, say('다시 시작', 'Resume'))
            : deedLink('disableWebhook', { id: row['id'] }, say('멈추기', 'Stop')),
      },
      {
        label: say('보낼 일', 'What is sent'),
        cell: ({ types }) =>
          listed(textsOf(types).map((type) => wordOf(view, words.webhook, type))),
      },
      { label: say('번호', 'Id'), cell: (row) => id(row['id']) },
      { label: say('추가한 때', 'Added'), cell: ({ created_at: at }) => moment(at) },
    ],
  });
}

function messagesTable(
  view: View,
  caption: string,
  rows: readonly Row[],
  urls: ReadonlyMap<unknown, string>,
): Html {
  const { say } = view;
  return table({
    caption,
    rows,
    empty: say('없습니다.', 'None.'),
    columns: [
      { label: say('번호', 'Number'), isNumber: true, cell: (row) => textOf(row['id']) },
      { label: say('상태', 'Status'), cell: (row) => wayBadge(view, row) },
      {
        label: say('하기', 'Actions'),
        cell: (row) =>
          deedLink('replayMessage', { id: row['id'] }, say('다시 보내기', 'Send again')),
      },
      { label: say('일', 'Event'), cell: ({ type }) => wordOf(view, words.webhook, type) },
      {
        label: say('받는 곳', 'Receiver'),
        cell: ({ endpoint_id: to }) => URL.parse(urls.get(to) ?? '')?.host ?? textOf(to),
      },
      { label: say('시도', 'Tries'), isNumber: true, cell: ({ attempts }) => number(attempts) },
      {
        label: say('마지막 답', 'Last answer'),
        cell: ({ status, attempts }) =>
          status === null ? (attempts === 0 ? '–' : say('답 없음', 'None')) : textOf(status),
      },
      { label: say('생긴 때', 'Made'), cell: ({ created_at: at }) => moment(at, 'second') },
      { label: say('다음 시도', 'Next try'), cell: ({ next_at: at }) => moment(at, 'second') },
      { label: say('전한 때', 'Delivered'), cell: ({ delivered_at: at }) => moment(at, 'second') },
    ],
  });
}

function wayBadge({ say }: View, message: Row): Html {
  return {
    delivered: badge(say('전함', 'Delivered'), 'good'),
    waiting: badge(say('보낼 것', 'Waiting')),
    failing: badge(say('다시 시도', 'Trying again'), 'warn'),
    given_up: badge(say('포기', 'Given up'), 'bad'),
  }[wayOf(message)];
}
