import { Buffer } from 'node:buffer';
import { byteOrderMark, csvHead, csvLines, escapeFormula } from '../../data/csv.ts';
import type { Stream } from '../../kernel/http/result.ts';
import { csvDownload } from './csv-download.ts';
import { originOf } from '../api/call.ts';
import { operatorReads } from '../api/operators.ts';
import { logAccess } from '../operators/access-log.ts';
import { accessFilter, accessLabel } from './access-log.ts';
import type { View } from './view.ts';

/** The access log as a CSV, newest first, for the monthly review and for archives. */
export async function accessLogCsv(view: View): Promise<Stream> {
  const { text, query } = view;
  await logAccess(view.context, originOf(view), 'access_log_exported');
  const filter = accessFilter(query);
  return csvDownload('access-log', text('접속기록', 'Access log'), lines(view, filter));
}

async function* lines(view: View, filter: ReturnType<typeof accessFilter>): AsyncGenerator<Buffer> {
  const { text } = view;
  const fields = [
    { name: 'seq', label: text('번호', 'Number') },
    { name: 'at', label: text('접속일시', 'Time') },
    { name: 'operator', label: text('식별자', 'Operator') },
    { name: 'address', label: text('접속지', 'Address') },
    { name: 'device', label: text('브라우저', 'Browser') },
    { name: 'act', label: text('수행업무', 'Action') },
    { name: 'members', label: text('정보주체', 'Members') },
    { name: 'intact', label: text('정상', 'Intact') },
  ];
  yield Buffer.from(byteOrderMark + csvHead(fields, 'label'));
  let before: string | undefined;
  do {
    const parameters = { ...filter, before };
    const page = await operatorReads.accessLog({ ...view, parameters });
    const rows = page.items.map(({ action, members, intact, ...row }) => ({
      ...row,
      operator: escapeFormula(row.operator ?? ''),
      device: escapeFormula(row.device ?? ''),
      act: accessLabel(view, action),
      members: members.join(' '),
      intact: String(intact),
    }));
    yield Buffer.from(csvLines(fields, rows));
    before = page.next_cursor ?? undefined;
  } while (before !== undefined);
}
