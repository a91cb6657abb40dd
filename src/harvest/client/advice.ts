import { portalPage } from '../../data/portal/portal-page.ts';
import type { Fault } from '../../data/portal/fault.ts';

/** Next step for the operator, in one sentence. */
export function adviceFor(
  fault: Fault,
  portalId: string | null,
  type: 'API' | 'STD' = 'API',
): string {
  const page = portalId === null ? 'its page' : portalPage(portalId, type);
  const advice = adviceAt(fault, page);
  const hasFile = type === 'STD' && (fault.class === 'request' || fault.class === 'service');
  if (!hasFile) return advice;
  return `${advice} Its file needs no key: \`./maru collect file_${portalId} --via download\`.`;
}

function adviceAt(fault: Fault, page: string): string {
  const advice = byCode[fault.code];
  if (advice !== undefined) return advice.replace('{page}', page);
  switch (fault.class) {
    case 'quota':
      return 'The daily quota is spent: run again after midnight in Korea, or apply for an operating account.';
    case 'request':
      return `The same request will always be refused: compare its parameters with ${page}.`;
    case 'service':
      return `Apply for the dataset with your account on ${page}, then run again.`;
    default:
      return 'The fault is temporary: run again later; stored responses are not requested again.';
  }
}

const byCode: Readonly<Record<string, string>> = {
  '12': 'The operation was retired or moved: see {page} for its successor.',
  '20': 'Check MARU_SERVICE_KEY, and that your account may use the dataset on {page}.',
  '29': 'The portal blocks the IP address of this machine: contact its help desk.',
  '30': 'Check MARU_SERVICE_KEY, and apply for the dataset on {page}; a new approval can take an hour.',
  'odcloud_-4': 'Check MARU_SERVICE_KEY, and apply for the dataset on {page}.',
  'odcloud_-401': 'Check MARU_SERVICE_KEY, and apply for the dataset on {page}.',
  'odcloud_-3': 'This table is not offered: remove --via, and its file is downloaded instead.',
  'odcloud_-9': 'This table was closed: remove --via, and its file is downloaded instead.',
  '31': 'The permission has expired: extend it on {page}.',
  '32': 'Register the IP address of this machine with the application on {page}.',
  '33': 'The portal did not accept the signature of the request: check MARU_SERVICE_KEY, and the parameters on {page}.',
  unauthorized: 'Check MARU_SERVICE_KEY: the gateway does not accept it.',
  forbidden: 'Apply for the dataset on {page}; a new approval can take an hour.',
  api_not_found: 'The address is no longer served: see {page} for its successor.',
  html: 'The portal sends a page instead of data, as during maintenance: run again later.',
  redirect_elsewhere: 'The operation has moved to another host: see {page} for its address.',
  body_too_large: 'The page is too large: lower `pageSize` in axes.json.',
  no_key: 'Set MARU_SERVICE_KEY to the key of your account on the portal.',
};
