import type { KeyRegistry } from '../keys.ts';
import type { PortalRequest } from '../portal-request.ts';
import type { Reply } from '../reply.ts';

/** Answers the requests of one host of the portal; null for a request to another host. */
export type HostHandler = (request: PortalRequest, keys: KeyRegistry) => Reply | null;
