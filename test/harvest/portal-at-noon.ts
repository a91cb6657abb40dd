import { startSamplePortal, type SamplePortalOptions } from '../../sample/portal.ts';
import { noon } from './collecting.ts';

/**
 * Starts the sample portal with its clock at noon, so that no quota is renewed during a test. Its hangs end before the
 * client's timeout, also on a slow machine.
 */
export function portalAtNoon(options: SamplePortalOptions = {}) {
  return startSamplePortal({ clock: () => noon, pace: { dripMs: 1, hangMs: 50 }, ...options });
}
