import { html, raw, type Html } from '../html.ts';
import { emptyHtml } from '../layout.ts';

interface TableColumn {
  readonly heading: Html;
  readonly isNumeric?: boolean;
  /** Order of the rows by this column. */
  readonly sort?: 'ascending' | 'descending' | null;
}

interface TableContent {
  /** Names the table for screen readers. */
  readonly caption: string;
  readonly columns: readonly TableColumn[];
  /** Cells of each row; the first one names the row. */
  readonly rows: readonly (readonly Html[])[];
}

/** A table of any width, which scrolls inside its own box; the first column stays in sight. */
export function dataTable({ caption, columns, rows }: TableContent): Html {
  const classes = columns.map(({ isNumeric }) => (isNumeric === true ? ' class="number"' : ''));
  return html`<div class="table" tabindex="0" role="region" aria-label="${caption}">
    <table>
      <caption class="spoken">
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map(
            ({ heading, sort }, at) =>
              html`<th scope="col" ${raw(classes[at]!)} ${sortOf(sort)}>${heading}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([first, ...others]) =>
            html`<tr>
              <th scope="row" ${raw(classes[0]!)}>${first}</th>
              ${others.map((cell, at) => html`<td ${raw(classes[at + 1]!)}>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function sortOf(sort: TableColumn['sort']): Html {
  return sort === undefined || sort === null ? emptyHtml : html`aria-sort="${sort}"`;
}
