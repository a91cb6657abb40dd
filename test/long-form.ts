/**
 * The long form of the tests, `npm run test:long`: every fault at full scale, hundreds of kills, 100,000 requests, the
 * real files beside the checkout, and every runtime of the samples.
 */
export const isLongForm = process.env['TEST_LONG'] === '1';
