import type { Client } from '@modelcontextprotocol/client';
import assert from 'node:assert/strict';
import { callTool } from './connect.ts';

/** A task of a user, the calls that a sensible agent makes, and a pattern of the known answer in the last text. */
export type AgentTask = readonly [
  text: string,
  calls: readonly (readonly [tool: string, input: Readonly<Record<string, unknown>>])[],
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
  const answers: string[] = [];
  const milliseconds: number[] = [];
  for (const [tool, input] of calls) {
    const { axis } = input;
    const isFound =
      answers.length === 0 || typeof axis !== 'string' || answers.join().includes(axis);
    assert.ok(isFound, `${text}: no earlier answer names ${String(axis)}`);
    const started = performance.now();
    answers.push((await callTool(client, tool, input)).text);
    milliseconds.push(performance.now() - started);
  }
  assert.match(answers.at(-1)!, answer, text);
  const tokens = answers.reduce((sum, each) => sum + estimateTokens(each), 0);
  assert.ok(tokens <= tokensMax, `${text}: ${tokens} tokens`);
  return { tokens, milliseconds };
}

/** High estimate of the tokens of a text: one for each Hangul syllable and for every three other characters. */
function estimateTokens(text: string): number {
  const syllables = text.match(/[가-힣]/g)?.length ?? 0;
  return syllables + Math.ceil((text.length - syllables) / 3);
}
