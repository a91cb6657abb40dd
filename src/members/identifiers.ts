import { alphabet, randomLetters } from './base32.ts';

/** `svc_` and 130 random bits, so that it reveals nothing about the member. */
export function newSvcUid(): string {
  return `svc_${randomLetters(26)}`;
}

export function isSvcUid(text: unknown): text is string {
  return typeof text === 'string' && /^svc_[a-z2-7]{26}$/.test(text);
}

/** Begins with the time, so that the index of event ids grows at its end. */
export function newEventId(now: number): string {
  return `evt_${timeLetters(now)}${randomLetters(16)}`;
}

/** Id of a session in answers and logs; its token cannot be derived from it. */
export function newSessionId(): string {
  return `ses_${randomLetters(16)}`;
}

export function newReceiptId(): string {
  return `rcp_${randomLetters(16)}`;
}

export function newMessageId(now: number): string {
  return `msg_${timeLetters(now)}${randomLetters(16)}`;
}

export function newEndpointId(): string {
  return `whe_${randomLetters(16)}`;
}

export function newKeyId(): string {
  return randomLetters(10);
}

/** 50 bits of milliseconds, most significant first, in an alphabet sorted by character code. */
function timeLetters(now: number): string {
  let text = '';
  let rest = now;
  for (let i = 0; i < 10; i++) {
    text = sortable[rest % 32]! + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

const sortable = Array.from(alphabet).sort().join('');
