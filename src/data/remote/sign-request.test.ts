import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256, signRequest } from './sign-request.ts';

/** The key pair of the examples in Amazon's documentation of the S3 API, "Signature Calculations for the Authorization Header". */
const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  sessionToken: null,
  region: 'us-east-1',
};
const now = new Date('2013-05-24T00:00:00Z');

test('a GET with a range has the signature of the S3 documentation', () => {
  const signed = signRequest(
    {
      method: 'GET',
      url: new URL('https://examplebucket.s3.amazonaws.com/test.txt'),
      headers: { Range: 'bytes=0-9' },
      bodySha256: sha256(''),
    },
    credentials,
    now,
  );
  assert.match(
    signed['authorization']!,
    /Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41$/,
  );
});

test('a PUT has the signature of the S3 documentation', () => {
  const signed = signRequest(
    {
      method: 'PUT',
      url: new URL('https://examplebucket.s3.amazonaws.com/test%24file.text'),
      headers: {
        Date: 'Fri, 24 May 2013 00:00:00 GMT',
        'x-amz-storage-class': 'REDUCED_REDUNDANCY',
      },
      bodySha256: sha256('Welcome to Amazon S3.'),
    },
    credentials,
    now,
  );
  assert.match(
    signed['authorization']!,
    /Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd$/,
  );
});

test('a session token is sent and signed', () => {
  const signed = signRequest(
    { method: 'GET', url: new URL('https://b.example/k'), headers: {}, bodySha256: sha256('') },
    { ...credentials, sessionToken: 'a-token' },
    now,
  );
  assert.equal(signed['x-amz-security-token'], 'a-token');
  assert.match(signed['authorization']!, /SignedHeaders=[^,]*x-amz-security-token/);
});
