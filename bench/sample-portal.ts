import { startSamplePortal } from '../sample/portal.ts';

/** A sample portal in a process of its own, with so many records of one operation: code, records. */
const [code, records] = process.argv.slice(2);
const portal = await startSamplePortal({ scale: { [code!]: Number(records) } });
process.stdout.write(`${portal.url}\n`);
process.once('SIGTERM', () => void portal[Symbol.asyncDispose]());
