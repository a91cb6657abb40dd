import { notice } from '../components/notice.ts';
import { pager } from '../components/pager.ts';
import { html, type Html } from '../html.ts';
import { emptyHtml, formatNumber } from '../layout.ts';
import type { PageRequest } from '../serve-page.ts';

interface ListPart {
  readonly offset: number;
  readonly pageSize: number;
  readonly total: number;
}

/** Links to the other pages of a list; past its end, a notice with a link to its last page. */
export function listPager(
  { offset, pageSize, total }: ListPart,
  { language, target }: Pick<PageRequest, 'language' | 'target'>,
): Html {
  const words = texts[language];
  if (offset > 0 && offset >= total) {
    const last = Math.max(0, Math.ceil(total / pageSize) - 1) * pageSize;
    return notice(
      'note',
      html`<p role="status">
        ${words.pastEnd(formatNumber(total))}
        <a href="${target({ offset: last })}">${words.last}</a>
      </p>`,
    );
  }
  if (total <= pageSize) return emptyHtml;
  const until = Math.min(total, offset + pageSize);
  return pager({
    label: words.pages,
    place: `${formatNumber(offset + 1)}–${formatNumber(until)} / ${formatNumber(total)}`,
    first: null,
    previous:
      offset === 0
        ? null
        : { text: words.previous, href: target({ offset: Math.max(0, offset - pageSize) }) },
    next: until < total ? { text: words.next, href: target({ offset: offset + pageSize }) } : null,
    last: null,
  });
}

const texts = {
  ko: {
    pages: '목록의 페이지',
    previous: '‹ 이전',
    next: '다음 ›',
    pastEnd: (total: string) => `목록은 ${total}개에서 끝납니다.`,
    last: '마지막 페이지 보기',
  },
  en: {
    pages: 'Pages of the list',
    previous: '‹ Previous',
    next: 'Next ›',
    pastEnd: (total: string) => `The list ends after ${total}.`,
    last: 'See the last page',
  },
} as const;
