import { Buffer } from 'node:buffer';
import { byteOrderMark, csvHead, csvLines, escapeFormula } from '../../data/csv.ts';
import type { Stream } from '../../kernel/http/result.ts';
import { csvDownload } from './csv-download.ts';
import { memberReads } from '../api/members.ts';
import { memberFilter } from './member-filter.ts';
import { cursorOf, type View } from './view.ts';

/** The list of members as a CSV with masked addresses, from the shown page on and of about 5,000 rows at most. */
export function membersCsv(view: View): Stream {
  return csvDownload('members', view.text('회원', 'Members'), lines(view));
}

async function* lines(view: View): AsyncGenerator<Buffer> {
  const { text, query } = view;
  const fields = [
    { name: 'svc_uid', label: 'svc_uid' },
    { name: 'status', label: text('상태', 'Status') },
    { name: 'email', label: text('이메일', 'Email') },
    { name: 'tier', label: text('등급', 'Tier') },
    { name: 'platforms', label: text('플랫폼', 'Platforms') },
    { name: 'created_at', label: text('가입', 'Joined') },
  ];
  yield Buffer.from(byteOrderMark + csvHead(fields, 'label'));
  let after = cursorOf(view, 'after');
  let rows = 0;
  do {
    const parameters = { ...memberFilter(query), after };
    const page = await memberReads.members({ ...view, parameters });
    rows += page.items.length;
    const cells = page.items.map((member) => ({
      svc_uid: member.svc_uid,
      status: member.status,
      email: escapeFormula(member.email_masked ?? ''),
      tier: escapeFormula(member.tier),
      platforms: member.platforms.join(' '),
      created_at: member.created_at,
    }));
    yield Buffer.from(csvLines(fields, cells));
    after = page.next_cursor ?? undefined;
  } while (after !== undefined && rows < rowsMax);
}

const rowsMax = 5_000;
