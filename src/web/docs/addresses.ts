import type { Document } from '../../kernel/http/result.ts';
import type { Settings } from '../../kernel/settings.ts';
import { lookupAddress } from './call-samples.ts';
import { membersAddress } from './member-calls.ts';

/** Addresses of the services in samples, so that a sample works as copied. */
interface DocsAddresses {
  readonly lookup: string;
  readonly members: string;
}

export type AddressSettings = Pick<Settings, 'MARU_BASE_URL'> &
  Partial<Pick<Settings, 'MARU_MEMBERS_URL'>>;

/** Addresses of the settings; without them the address of the request. */
export function docsAddresses(settings: AddressSettings, host: string | null): DocsAddresses {
  const lookup = siteAddress(settings, host) ?? lookupAddress;
  // In development the members' cookies and origins belong to the name localhost.
  const members = settings.MARU_MEMBERS_URL ?? lookup.replace('//127.0.0.1', '//localhost');
  return { lookup, members };
}

/** Address of the setting, without a slash at its end, or of the request's host if that is plain; null otherwise. */
export function siteAddress(settings: AddressSettings, host: string | null): string | null {
  const requested = isPlain(host) ? `http://${host}` : null;
  return settings.MARU_BASE_URL?.replace(/\/$/, '') ?? requested;
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
    /^(?:[\w-]+(?:\.[\w-]+)*|\[[\da-f:]+\])(?::\d{1,5})?$/i.test(host)
  );
}
