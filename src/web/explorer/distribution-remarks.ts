import type { Expression } from '../../lookup/where/syntax.ts';
import { html, type Html } from '../html.ts';
import { formatNumber } from '../layout.ts';
import { filteredTarget, whereOf, type DatasetView } from './dataset-view.ts';

interface Remarks {
  /** Name of the column whose values the distribution counts. */
  readonly column: string;
  readonly nulls: number;
  /** Records whose value cannot be read as the type of the field. */
  readonly unread: number;
  readonly first?: string;
  readonly last?: string | undefined;
}

/** Line below a distribution about what its bars leave out; records without a value are a link to them. */
export function distributionRemarks(
  { column, nulls, unread, first, last }: Remarks,
  view: DatasetView,
): Html {
  const remarks = [
    first,
    nulls === 0 ? undefined : noValueLink(column, nulls, view),
    unread === 0 ? undefined : view.words.unread(formatNumber(unread)),
    last,
  ].filter((remark) => remark !== undefined);
  return html`<p class="quiet">
    ${remarks.map((remark, at) => (at === 0 ? remark : html` · ${remark}`))}
  </p>`;
}

function noValueLink(column: string, count: number, view: DatasetView): Html {
  const part: Expression = { kind: 'null', name: { text: column, position: 0 }, isNegated: false };
  const href = filteredTarget(view, { where: whereOf([...view.conditions, part]) });
  return html`<a rel="nofollow" href="${href}">${view.words.nulls(formatNumber(count))}</a>`;
}
