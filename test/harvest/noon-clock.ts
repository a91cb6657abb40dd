/**
 * Replaces the clock of a program that loads it first. The clock starts at the tests' noon, or `HOURS_LATER` hours
 * later, and then runs like the machine's, so that no result depends on the time of the test.
 */
const noon = Date.parse('2026-11-21T03:20:00Z');
const started = Date.now();
const machineNow = Date.now.bind(Date);
Date.now = () => noon + hoursLater() * 3_600_000 + machineNow() - started;

function hoursLater(): number {
  return Number(process.env['HOURS_LATER'] ?? 0);
}
