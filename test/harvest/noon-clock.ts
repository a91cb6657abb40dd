/**
 * Loaded before a program: its clock begins at the noon of the tests, `HOURS_LATER` later where that is
 * set, and goes on as the machine's, so that no run of an hour or a day depends on when the test runs.
 */
const noon = Date.parse('2026-11-21T03:20:00Z');
const started = Date.now();
const machineNow = Date.now.bind(Date);
const later = Number(process.env['HOURS_LATER'] ?? 0) * 3_600_000;
Date.now = () => noon + later + machineNow() - started;
