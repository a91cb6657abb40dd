import { adviceFor } from '../client/advice.ts';
import type { Fault } from '../../data/portal/fault.ts';

/** What a person does next about a file that cannot be had, in one sentence. */
export function adviceForFile(fault: Fault): string {
  return own[fault.code] ?? adviceFor(fault, null);
}

const load = 'download it there and hold it with `./maru load FILE --axis file_NUMBER`.';
const own: Readonly<Record<string, string>> = {
  agency_hosted: `Open the dataset’s page, follow its URL to the agency, ${load}`,
  restricted: `Sign in on the dataset’s page, ${load}`,
  no_file:
    'Look at the dataset’s page: the number may be another type’s, or the file is being replaced.',
  maintenance: 'The portal is under maintenance: run again later, what is stored is not asked for.',
  body_too_large: `Open the dataset’s page in a browser, ${load}`,
  http_404: 'Look at the dataset’s page: it may have been withdrawn.',
};
