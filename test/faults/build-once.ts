import { buildAxis } from '../build-axis.ts';

/** Builds one snapshot with a new version of one axis: `build-once.ts DATA MARK`. */
const [data, mark] = process.argv.slice(2);
buildAxis(data!, 'file_2', [[mark!, '다시 만든 기록']]);
