import { adviceFor } from '../client/advice.ts';
import type { Fault } from '../../data/portal/fault.ts';

/** Next step for the operator after a failed download, in one sentence. */
export function adviceForFile(fault: Fault): string {
  return fileAdvice[fault.code] ?? adviceFor(fault, null);
}

const loadAdvice = 'download it there and import it with `./maru load FILE --axis file_NUMBER`.';
const fileAdvice: Readonly<Record<string, string>> = {
  agency_hosted: `Open the dataset’s page, follow its URL to the agency, ${loadAdvice}`,
  restricted: `Sign in on the dataset’s page, ${loadAdvice}`,
  no_file:
    'Check the dataset’s page: the number may belong to another type, or the file is being replaced.',
  maintenance:
    'The portal is under maintenance: run again later; stored responses are not requested again.',
  body_too_large: `Open the dataset’s page in a browser, ${loadAdvice}`,
  no_list:
    'Check the list in a browser, and run again later; stored pages are not requested again.',
  http_404: 'Check the dataset’s page: the dataset may have been withdrawn.',
};
