import type { AuditVerdict } from '../../members/audit.ts';
import { html, type Html } from '../../web/html.ts';
import type { Action } from '../actions/action.ts';
import { actions } from '../actions/all.ts';
import { serviceReads } from '../api/service.ts';
import { badge, id, breakableText, moment, nextPageLink, number, table } from './table.ts';
import { wordOf, type Page, type View } from './view.ts';
import { words } from './words.ts';

/** The audit log, newest first, with the result of its verification. */
export const auditPage: Page = async (view) => {
  const { text, query } = view;
  const verdict = await serviceReads.verifyAudit(view);
  const cursor = query.get('before') ?? '';
  // Entries are numbered without gaps, so the first number of a page follows from its last.
  const before = /^\d{1,15}$/.test(cursor) ? Number(cursor) : Number.POSITIVE_INFINITY;
  const end = Math.min(before, verdict.intact ? verdict.rows + 1 : Number.POSITIVE_INFINITY);
  const last = Number.isFinite(end) ? end - 1 : verdict.rows;
  const after = Math.max(0, last - pageRows);
  const { items } = await serviceReads.audit({
    ...view,
    parameters: { after: String(after) },
  });
  return {
    title: text('감사 기록', 'Audit log'),
    main: html`${verdictNotice(view, verdict)}
    ${table({
      caption: text(
        '운영자와 서비스가 한 일 (최신순)',
        'Operator and service actions, newest first',
      ),
      rows: items.filter(({ seq }) => seq < end).toReversed(),
      empty: text('아직 기록이 없습니다.', 'There are no entries yet.'),
      columns: [
        [text('번호', 'Number'), ({ seq }) => number(seq), 'number'],
        [text('시각', 'Time'), ({ at }) => moment(at, 'second')],
        [text('행위자', 'Actor'), ({ actor }) => actor],
        [text('작업', 'Action'), ({ action }) => wordOf(view, labels, action)],
        [text('대상', 'Target'), ({ subject }) => subjectLink(subject)],
        [text('사유', 'Reason'), ({ reason }) => breakableText(reason)],
        [text('상세', 'Details'), ({ detail }) => detailsOf(view, detail)],
      ],
    })}
    ${nextPageLink(
      view,
      '/audit',
      { name: 'before', cursor: after === 0 ? null : String(after + 1) },
      text('이전 기록', 'Earlier entries'),
    )}`,
  };
};

const pageRows = 50;

const labels = Object.assign(
  {},
  words.audit,
  ...Object.values<Action>(actions).map(({ auditLabels }) => auditLabels),
) as Action['auditLabels'];

function verdictNotice({ text }: View, { intact, rows, faultAt, anchor }: AuditVerdict): Html {
  if (!intact)
    return html`<div class="alert" role="alert">
      <p>
        <strong>${text('감사 기록이 손상되었습니다.', 'The audit log is damaged.')}</strong> ${text(
          `${faultAt}번 기록부터 믿을 수 없습니다. 저장소를 백업과 비교하세요.`,
          `Entries from number ${faultAt} cannot be trusted. Compare the store with a backup.`,
        )}
      </p>
    </div>`;
  return html`<p>
      ${badge(text('정상', 'Intact'), 'good')}
      ${text(`${number(rows)}건을 모두 검증했습니다.`, `All ${number(rows)} entries were verified.`)}
    </p>
    <p class="quiet">
      ${text(
        '현재 마지막 기록의 값입니다. 다른 곳에 적어 두면 기록이 잘려도 알 수 있습니다.',
        'Value of the last entry. Store it elsewhere to detect a truncated log.',
      )}
      <code class="long">${anchor ?? '–'}</code>
    </p>`;
}

function subjectLink(subject: string): Html {
  return subject.startsWith('svc_')
    ? html`<a href="/members/${subject}">${id(subject)}</a>`
    : id(subject);
}

function detailsOf({ text }: View, detail: Readonly<Record<string, unknown>>): Html | string {
  const entries = Object.entries(detail);
  if (entries.length === 0) return '–';
  return html`<details>
    <summary>${text('보기', 'Show')}</summary>
    <ul class="plain">
      ${entries.map(([name, value]) => html`<li><code class="long">${name}: ${JSON.stringify(value)}</code></li>`)}
    </ul>
  </details>`;
}
