import { htmlReply, type Reply } from '../reply.ts';
import type { PortalRequest } from '../portal-request.ts';
import type { Fault } from './fault.ts';

/** Faults of file downloads, which take three steps. */
export const fileFaults = {
  file_replaced: {
    summary: 'The file is replaced between the second and the third step, so its address is gone.',
    reply: (reply, request) => (isAttachmentLookup(request) ? staleAttachment(reply) : reply),
  },
  file_other: {
    summary: 'The wrong attachment: a PDF instead of data.',
    reply: (reply, request) =>
      isDownload(request) ? { ...reply, body: Buffer.from('%PDF-1.7\n%%EOF\n') } : reply,
  },
  file_shell: pageInsteadOfFile('A page of HTML with status 200 instead of the file.', '안내'),
  file_login: pageInsteadOfFile('Only signed-in users can download the file.', '로그인 후 이용'),
  file_withdrawn: {
    summary: 'The portal no longer has the file: `status` is false.',
    isLasting: true,
    reply: (reply, request) =>
      isAttachmentLookup(request)
        ? { ...reply, body: '{"status":false,"error":"파일 정보가 없습니다."}' }
        : reply,
  },
} as const satisfies Record<string, Fault>;

function pageInsteadOfFile(summary: string, sentence: string): Fault {
  const page = htmlReply(
    `<!DOCTYPE html>\n<html lang="ko"><body><p>${sentence}</p></body></html>\n`,
  );
  return { summary, isLasting: true, replace: (request) => (isDownload(request) ? page : null) };
}

function isAttachmentLookup({ path }: PortalRequest): boolean {
  return path === '/tcs/dss/selectFileDataDownload.do';
}

function isDownload({ path }: PortalRequest): boolean {
  return path === '/cmm/cmm/fileDownload.do';
}

function staleAttachment(reply: Reply): Reply {
  if (typeof reply.body !== 'string') return reply;
  const body = reply.body.replace(/"atchFileId":"FILE_\d+"/, '"atchFileId":"FILE_990000000000000"');
  return { ...reply, body };
}
