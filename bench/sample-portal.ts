import { startSamplePortal, type SamplePortalOptions } from '../sample/portal.ts';

/**
 * A sample portal in a process of its own, with its options as JSON. Prints its address on the first line.
 */
const [options = '{}'] = process.argv.slice(2);
// The benchmarks of this folder start this script, with options that they have typed.
const portal = await startSamplePortal(JSON.parse(options) as SamplePortalOptions);
process.stdout.write(`${portal.url}\n`);
process.once('SIGTERM', () => void portal[Symbol.asyncDispose]());
