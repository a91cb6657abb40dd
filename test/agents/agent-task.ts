import type { Client } from '@modelcontextprotocol/client';
import assert from 'node:assert/strict';
import { callTool } from './connect.ts';

/** A task of a user, the calls that a sensible agent makes, and the known answer in the last text. */
export type AgentTask = readonly [
  text: string,
  calls: readonly (readonly [tool: string, given: Readonly<Record<string, unknown>>])[],
  answer: RegExp,
];

export const callsMax = 3;
const tokensMax = 6_000;

/** Calls the tools of a task and checks the answer, its length and that each axis was found before it is used. */
export async function checkTask(
  client: Client,
  [text, calls, answer]: AgentTask,
): Promise<{ readonly tokens: number; readonly milliseconds: readonly number[] }> {
  assert.ok(calls.length <= callsMax, text);
  const texts: string[] = [];
  const milliseconds: number[] = [];
  for (const [tool, given] of calls) {
    const { axis } = given;
    const isFound = texts.length === 0 || typeof axis !== 'string' || texts.join().includes(axis);
    assert.ok(isFound, `${text}: no answer names ${String(axis)}`);
    const started = performance.now();
    texts.push((await callTool(client, tool, given)).text);
    milliseconds.push(performance.now() - started);
  }
  assert.match(texts.at(-1)!, answer, text);
  const tokens = texts.reduce((sum, each) => sum + estimateTokens(each), 0);
  assert.ok(tokens <= tokensMax, `${text}: ${tokens} tokens`);
  return { tokens, milliseconds };
}

/** Tokens of a text, high: one for each Hangul syllable, and one for each three other characters. */
function estimateTokens(text: string): number {
  const syllables = text.match(/[가-힣]/g)?.length ?? 0;
  return syllables + Math.ceil((text.length - syllables) / 3);
}
