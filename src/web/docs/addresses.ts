import type { Content } from '../../kernel/http/respond.ts';
import type { Settings } from '../../kernel/settings.ts';
import { lookupAddress } from './lookup-reference.ts';
import { membersAddress } from './member-calls.ts';

/** Where the services of the samples are, so that they work where they are read. */
export interface DocsAddresses {
  readonly lookup: string;
  readonly members: string;
}

export type AddressSettings = Pick<Settings, 'MARU_BASE_URL'> &
  Partial<Pick<Settings, 'MARU_MEMBERS_URL'>>;

/** As the settings say, else the one by which we were asked, where that is a plain one. */
export function docsAddresses(settings: AddressSettings, host: string | null): DocsAddresses {
  const asked = isPlain(host) ? `http://${host}` : lookupAddress;
  const lookup = settings.MARU_BASE_URL ?? asked;
  // In development the members' cookies and origins are those of localhost by its name.
  const members = settings.MARU_MEMBERS_URL ?? lookup.replace('//127.0.0.1', '//localhost');
  return { lookup, members };
}

/** The page with these addresses in the place of those that the documents are written with. */
export function withAddresses(content: Content, { lookup, members }: DocsAddresses): Content {
  const text = content.body.toString();
  const addressed = text.replace(written, (found) => (found === lookupAddress ? lookup : members));
  return { ...content, body: Buffer.from(addressed) };
}

const written = new RegExp(`${lookupAddress}|${membersAddress}`, 'g');

function isPlain(host: string | null): host is string {
  return (
    host !== null &&
    host.length <= 100 &&
    /^(?:[\w-]+(?:\.[\w-]+)*|\[[\da-f:]+\]):\d{1,5}$/i.test(host)
  );
}
