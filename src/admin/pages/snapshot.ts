import { html, type Html } from '../../web/html.ts';
import { emptyHtml } from '../../web/layout.ts';
import { openDataReads } from '../api/open-data.ts';
import { actionButton, badge, id, number, plainList, table } from './table.ts';
import { wordOf, type Page } from './view.ts';
import { words } from './words.ts';

/** Axes that differ between an earlier snapshot and the current one, and a button to serve the earlier one again. */
export const snapshotPage: Page = async (view) => {
  const { text } = view;
  const parameters = { snapshot_id: view.parameters['snapshot_id']! };
  const { from, to, items } = await openDataReads.snapshotDifference({ ...view, parameters });
  return {
    title: text(`스냅샷 ${from}`, `Snapshot ${from}`),
    main: html`<p>
        ${text(`이 스냅샷 뒤로 현재 스냅샷 ${to}까지 바뀐 축입니다.`, `Axes that changed from this snapshot to the current one, ${to}.`)}
      </p>
      ${
        from === to
          ? emptyHtml
          : html`<p class="act danger">
              ${actionButton(view, 'rollBackSnapshot', text('이 스냅샷으로 되돌리기', 'Serve this snapshot again'), { target: ['snapshot_id', from], isDangerous: true })}
            </p>`
      }
      ${table(view, {
        caption: text('다른 축', 'Axes that differ'),
        rows: items,
        file: 'snapshot-difference',
        empty: text('다른 축이 없습니다.', 'No axis differs.'),
        columns: [
          [text('축', 'Axis'), ({ axis }) => id(axis)],
          [text('변경', 'Change'), ({ change }) => badge(wordOf(view, words.change, change))],
          [text('이전 레코드', 'Previous records'), (row) => number(row.rows_from), 'number'],
          [text('현재 레코드', 'Current records'), (row) => number(row.rows_to), 'number'],
          [text('추가된 필드', 'New fields'), (row) => names(row.fields_added)],
          [text('없어진 필드', 'Missing fields'), (row) => names(row.fields_removed)],
        ],
      })}
      <p class="further"><a href="/data">${text('데이터로 이동', 'Go to the data')}</a></p>`,
  };
};

function names(fields: readonly string[]): Html {
  return plainList(fields.map((name) => id(name)));
}
