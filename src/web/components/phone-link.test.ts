import assert from 'node:assert/strict';
import { test } from 'node:test';
import { phoneLink } from './phone-link.ts';

test('a telephone number with an area code calls it; another text stays text', () => {
  assert.equal(hrefOf('02-558-0803'), 'tel:025580803');
  assert.equal(hrefOf('(051) 516-8855'), 'tel:0515168855');
  assert.equal(hrefOf('1588-1234'), 'tel:15881234');
  for (const text of ['597-8979', '02-1-1, 02-558-0803', '없음', '02-558-0803<'])
    assert.equal(hrefOf(text), undefined, text);
});

function hrefOf(text: string): string | undefined {
  return /href="([^"]+)"/.exec(phoneLink(text).markup)?.[1];
}
