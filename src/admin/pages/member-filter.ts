import { html, type Html } from '../../web/html.ts';
import { choiceField, inputField } from './filter-fields.ts';
import { serviceReads } from '../api/service.ts';
import type { MemberFilter } from '../api/filter-members.ts';
import type { View } from './view.ts';

/** The filter of a list of members, from the query of its page. */
export function memberFilter(query: URLSearchParams): Required<MemberFilter> {
  const valueOf = (name: keyof MemberFilter) => query.get(name)?.trim() || undefined;
  return {
    platform: valueOf('platform'),
    tier: valueOf('tier'),
    status: valueOf('status'),
    from: valueOf('from'),
    to: valueOf('to'),
  };
}

/** A form that filters the list, and a link to its CSV. */
export async function memberFilterForm(view: View): Promise<Html> {
  const { text, query } = view;
  const { platform, tier, status, from, to } = memberFilter(query);
  const { items } = await serviceReads.platforms(view);
  const all = { value: '', label: text('전체', 'All') };
  const statuses = [
    all,
    { value: 'active', label: text('정상', 'Active') },
    { value: 'suspended', label: text('정지', 'Suspended') },
  ];
  const platforms = [all, ...items.map(({ code, name }) => ({ value: code, label: name }))];
  return html`<form method="get" action="/members" class="fields inline filter">
    ${choiceField('platform', text('플랫폼', 'Platform'), platforms, platform)}
    ${choiceField('status', text('상태', 'Status'), statuses, status)}
    ${inputField('tier', text('등급', 'Tier'), 'text', tier)}
    ${inputField('from', text('가입 첫날', 'Joined from'), 'date', from)}
    ${inputField('to', text('가입 마지막 날', 'Joined until'), 'date', to)}
    <p class="act">
      <button type="submit">${text('보기', 'Show')}</button>
      <a class="button" href="/members.csv?${query.toString()}">CSV</a>
    </p>
  </form>`;
}
