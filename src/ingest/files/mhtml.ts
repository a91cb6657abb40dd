import iconv from 'iconv-lite';

/** True for a web page with its parts in one text (RFC 2557), which Excel writes as `.mht` and agencies name `.xls`. */
export function isMhtml(text: string): boolean {
  return /^\s*MIME-Version:/iu.test(text) && /^Content-Type:\s*multipart\/related/imu.test(text);
}

/** The HTML pages with a table among the parts of an MHTML text. */
export function pagesOfMhtml(text: string): string[] {
  const boundary = /boundary="?([^"\r\n;]+)"?/iu.exec(text)?.[1];
  if (boundary === undefined) return [];
  const pages = text.split(`--${boundary}`).flatMap((each) => {
    const part = each.trimStart();
    const blank = /\r?\n\r?\n/u.exec(part);
    if (blank === null) return [];
    const head = part.slice(0, blank.index);
    if (!/^content-type:\s*text\/html/imu.test(head)) return [];
    return [decodedBody(head, part.slice(blank.index + blank[0].length))];
  });
  return pages.filter((page) => /<table[\s>]/iu.test(page));
}

function decodedBody(head: string, body: string): string {
  const transfer = /^content-transfer-encoding:\s*([\w-]+)/imu.exec(head)?.[1]?.toLowerCase();
  const charset = /charset="?([\w-]+)/iu.exec(head)?.[1] ?? 'utf-8';
  if (transfer !== 'base64' && transfer !== 'quoted-printable') return body;
  const bytes =
    transfer === 'base64'
      ? Buffer.from(body, 'base64')
      : Buffer.from(unquoted(body.replace(/=[ \t]*\r?\n/gu, '')), 'latin1');
  return iconv.decode(bytes, iconv.encodingExists(charset) ? charset : 'utf-8');
}

/** Undoes quoted-printable; each unit of the result is a byte. */
function unquoted(text: string): string {
  return text.replace(/=([0-9a-f]{2})/giu, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
