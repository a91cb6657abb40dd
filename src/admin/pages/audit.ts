import type { AuditVerdict } from '../../members/verify-audit.ts';
import { html, type Html } from '../../web/html.ts';
import { emptyHtml } from '../../web/layout.ts';
import type { Action } from '../actions/action.ts';
import { actions } from '../actions/all.ts';
import { serviceReads } from '../api/service.ts';
import { reasonText } from './audit-reasons.ts';
import { badge, id, breakableText, moment, nextPageLink, number, table } from './table.ts';
import { wordOf, type Page, type View } from './view.ts';
import { words } from './words.ts';

/** The audit log, newest first, with the result of its verification. */
export const auditPage: Page = async (view) => {
  const { text, query } = view;
  const verdict = await serviceReads.verifyAudit({ ...view, parameters: { from: undefined } });
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
    ${table(view, {
      caption: text(
        '운영자와 서비스가 한 일 (최신순)',
        'Operator and service actions, newest first',
      ),
      rows: items.filter(({ seq }) => seq < end).toReversed(),
      file: 'audit-log',
      empty: text('아직 기록이 없습니다.', 'There are no entries yet.'),
      columns: [
        [text('번호', 'Number'), ({ seq }) => number(seq), 'number'],
        [text('시각', 'Time'), ({ at }) => moment(at, 'second')],
        [text('행위자', 'Actor'), ({ actor }) => actor],
        [text('작업', 'Action'), ({ action }) => wordOf(view, labels, action)],
        [text('대상', 'Target'), ({ subject }) => subjectLink(subject)],
        [text('사유', 'Reason'), ({ reason }) => breakableText(reasonText(view, reason))],
        [text('상세', 'Details'), ({ detail }) => detailsOf(view, detail)],
      ],
    })}
    ${nextPageLink(
      view,
      '/audit',
      { name: 'before', cursor: after === 0 ? null : String(after + 1) },
      text('이전 기록', 'Earlier entries'),
    )}
    ${await assuranceTable(view)}`,
  };
};

const pageRows = 50;

const labels = Object.assign(
  {},
  words.audit,
  ...Object.values<Action>(actions).map(({ auditLabels }) => auditLabels),
) as Action['auditLabels'];

/**
 * Verified addresses by day. They are only counted, because entries in the audit log would be as many as registrations.
 */
async function assuranceTable(view: View): Promise<Html> {
  const { text } = view;
  const { items } = await serviceReads.assurance(view);
  return table(view, {
    caption: text('이메일 확인 (최근 30일)', 'Email verification, last 30 days'),
    rows: items,
    file: 'verified-emails',
    empty: text('처음 확인된 이메일이 없습니다.', 'No address was verified for the first time.'),
    columns: [
      [text('날짜', 'Day'), ({ day }) => day],
      [text('플랫폼', 'Platform'), ({ platform }) => id(platform)],
      [
        text('처음 확인된 회원', 'Members newly verified'),
        ({ upgrades }) => number(upgrades),
        'number',
      ],
      [text('종료된 세션', 'Sessions ended'), (row) => number(row.sessions_ended), 'number'],
    ],
  });
}

function verdictNotice({ text }: View, verdict: AuditVerdict): Html {
  const { intact, rows, faultAt, anchor, checked_from: first, removed } = verdict;
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
      ${
        first === 1
          ? text(
              `${number(rows)}건을 모두 검증했습니다.`,
              `All ${number(rows)} entries were verified.`,
            )
          : text(
              `${number(first)}번부터 ${number(rows)}번까지 검증했습니다. 그 앞은 봉인할 때 검증했습니다.`,
              `Entries ${number(first)} to ${number(rows)} were verified, earlier ones when they were sealed.`,
            )
      }
      ${
        removed === 0
          ? emptyHtml
          : text(
              `${number(removed)}번까지는 보관 기간이 지나 삭제했습니다.`,
              `Entries up to ${number(removed)} were removed after their retention.`,
            )
      }
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
