import type { Loop, RecordsLoop } from './enumeration.ts';

/** Other axes whose records a loop takes values from. */
export function recordsOf(loop: Loop): Pick<RecordsLoop, 'axis' | 'take'>[] {
  if (loop.kind === 'records') return [loop];
  return loop.kind === 'list' ? [loop.each, loop.also].filter((each) => each !== undefined) : [];
}
