import type { Document } from '../../kernel/http/result.ts';
import type { Settings } from '../../kernel/settings.ts';
import { lookupAddress } from './reference.ts';
import { membersAddress } from './member-calls.ts';

/** Addresses of the services in samples, so that a sample works as copied. */
interface DocsAddresses {
  readonly lookup: string;
  readonly members: string;
}

export type AddressSettings = Pick<Settings, 'MARU_BASE_URL'> &
  Partial<Pick<Settings, 'MARU_MEMBERS_URL'>>;

/** Addresses of the settings; without them that of the request, if its host is a plain name and port. */
export function docsAddresses(settings: AddressSettings, host: string | null): DocsAddresses {
  const requested = isPlain(host) ? `http://${host}` : lookupAddress;
  const lookup = settings.MARU_BASE_URL ?? requested;
  // In development the members' cookies and origins belong to the name localhost.
  const members = settings.MARU_MEMBERS_URL ?? lookup.replace('//127.0.0.1', '//localhost');
  return { lookup, members };
}

/** Replaces the addresses of the documents in a page. */
export function withAddresses(content: Document, { lookup, members }: DocsAddresses): Document {
  const text = content.body.toString();
  const addressed = text.replace(sampleAddresses, (sample) =>
    sample === lookupAddress ? lookup : members,
  );
  return { ...content, body: Buffer.from(addressed) };
}

const sampleAddresses = new RegExp(`${lookupAddress}|${membersAddress}`, 'g');

function isPlain(host: string | null): host is string {
  return (
    host !== null &&
    host.length <= 100 &&
    /^(?:[\w-]+(?:\.[\w-]+)*|\[[\da-f:]+\]):\d{1,5}$/i.test(host)
  );
}
