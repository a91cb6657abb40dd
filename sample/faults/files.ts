import { htmlReply, type Reply } from '../reply.ts';
import type { PortalRequest } from '../portal-request.ts';
import type { Fault } from './fault.ts';

/** Faults of the three steps in which a file is downloaded. */
export const fileFaults = {
  file_replaced: {
    summary: 'The file is replaced between the second step and the third: its address is gone.',
    stays: false,
    reply: (reply, request) => (isAddress(request) ? addressedBefore(reply) : reply),
  },
  file_other: {
    summary: 'Another attachment comes, a PDF where data was promised.',
    stays: false,
    reply: (reply, request) =>
      isFile(request) ? { ...reply, body: Buffer.from('%PDF-1.7\n%%EOF\n') } : reply,
  },
  file_shell: instead('A page of HTML with status 200 comes instead of the file.', '안내'),
  file_login: instead('The file is given to people who have signed in.', '로그인 후 이용'),
  file_withdrawn: {
    summary: 'The portal has no file any more: `status` is false.',
    stays: true,
    reply: (reply, request) =>
      isAddress(request)
        ? { ...reply, body: '{"status":false,"error":"파일 정보가 없습니다."}' }
        : reply,
  },
} as const satisfies Record<string, Fault>;

function instead(summary: string, sentence: string): Fault {
  const page = htmlReply(
    `<!DOCTYPE html>\n<html lang="ko"><body><p>${sentence}</p></body></html>\n`,
  );
  return { summary, stays: true, instead: (request) => (isFile(request) ? page : null) };
}

function isAddress({ path }: PortalRequest): boolean {
  return path === '/tcs/dss/selectFileDataDownload.do';
}

function isFile({ path }: PortalRequest): boolean {
  return path === '/cmm/cmm/fileDownload.do';
}

function addressedBefore(reply: Reply): Reply {
  if (typeof reply.body !== 'string') return reply;
  const body = reply.body.replace(/"atchFileId":"FILE_\d+"/, '"atchFileId":"FILE_990000000000000"');
  return { ...reply, body };
}
