import { buildAxis, testFields } from '../build-axis.ts';

/** Builds one snapshot with a new version of one axis: `build-once.ts DATA MARK LOOSE_MAX`. */
const [data, mark, looseMax] = process.argv.slice(2);
const rows = [[mark!, '다시 만든 기록']];
buildAxis(data!, 'file_2', rows, null, testFields, {}, Number(looseMax));
