import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { codingFor, languageFor, mediaTypeFor } from './preferences.ts';

test('any header is read without an error', () => {
  fc.assert(
    fc.property(fc.string(), (header) => {
      codingFor(header);
      languageFor(header);
      mediaTypeFor(header, ['application/json', 'text/csv']);
    }),
  );
});

test('the coding with the highest weight is chosen; of equal ones, the first supported one', () => {
  assert.equal(codingFor(null), null);
  assert.equal(codingFor('gzip, deflate, br, zstd'), 'zstd');
  assert.equal(codingFor('gzip, deflate, br'), 'br');
  assert.equal(codingFor('GZIP;Q=0.5'), 'gzip');
  assert.equal(codingFor('*'), 'zstd');
  assert.equal(codingFor('*;q=0'), null);
  assert.equal(codingFor('gzip;q=0'), null);
  assert.equal(codingFor('gzip;q=x'), null);
  assert.equal(codingFor('identity'), null);
});

test('the language is Korean unless the client prefers English', () => {
  assert.equal(languageFor(null), 'ko');
  assert.equal(languageFor('*'), 'ko');
  assert.equal(languageFor('fr'), 'ko');
  assert.equal(languageFor('en'), 'en');
  assert.equal(languageFor('en-GB, ko;q=0.9'), 'en');
  assert.equal(languageFor('ko-KR,ko;q=0.9,en-US;q=0.8,en;q=0.7'), 'ko');
  assert.equal(languageFor('en;q=0'), 'ko');
});

test('a media type is chosen only if the header has it, not for */*', () => {
  const types = ['application/json', 'text/csv'];
  assert.equal(mediaTypeFor(null, types), null);
  assert.equal(mediaTypeFor('*/*', types), null);
  assert.equal(mediaTypeFor('text/csv', types), 'text/csv');
  assert.equal(mediaTypeFor('text/csv;q=0.5, application/json', types), 'application/json');
  assert.equal(mediaTypeFor('text/html,application/xhtml+xml,*/*;q=0.8', types), null);
});

test('a range such as text/* accepts each of its types, and a more specific range overrides it', () => {
  const types = ['application/json', 'application/x-ndjson', 'text/csv'];
  assert.equal(mediaTypeFor('text/*', types), 'text/csv');
  assert.equal(mediaTypeFor('application/*', types), 'application/json');
  assert.equal(mediaTypeFor('application/json;q=0, application/*', types), 'application/x-ndjson');
  assert.equal(mediaTypeFor('image/*', types), null);
  assert.equal(mediaTypeFor('text/html, */*;q=0.8', types), null);
});
