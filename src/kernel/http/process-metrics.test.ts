import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processMetrics } from './process-metrics.ts';

test('the metrics of two processes are grouped by metric, and each sample names its process', () => {
  const one = '# HELP a Requests.\n# TYPE a counter\na{route="/x",status="200"} 3\na_sum 1\n';
  const gauge = '# HELP b Rows.\n# TYPE b gauge\nb 7\n';
  const other = '# HELP a Requests.\n# TYPE a counter\na{route="/{y}",status="404"} 5\n';
  const merged = processMetrics(
    new Map([
      [1, one + gauge],
      [2, other + gauge],
    ]),
  );
  assert.equal(
    merged,
    '# HELP a Requests.\n# TYPE a counter\n' +
      'a{process="1",route="/x",status="200"} 3\na_sum{process="1"} 1\n' +
      'a{process="2",route="/{y}",status="404"} 5\n' +
      '# HELP b Rows.\n# TYPE b gauge\nb{process="1"} 7\nb{process="2"} 7\n',
  );
});

test('a metric that only one process has is kept, and an empty text adds nothing', () => {
  const merged = processMetrics(
    new Map([
      [0, ''],
      [1, '# HELP a Requests.\n# TYPE a counter\na 1\n'],
    ]),
  );
  assert.equal(merged, '# HELP a Requests.\n# TYPE a counter\na{process="1"} 1\n');
});
