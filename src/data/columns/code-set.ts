/** Codes of a column that a comparison selects: a whole range, or the codes of a range whose bit is set. */
export type CodeSet =
  | { readonly from: number; readonly to: number; readonly bits: null }
  | { readonly from: number; readonly to: number; readonly bits: Uint32Array };

/** Codes `from` to `to - 1`. */
export function codeRange(from: number, to: number): CodeSet {
  return { from, to: Math.max(from, to), bits: null };
}

function isEmptySet({ from, to }: CodeSet): boolean {
  return from >= to;
}

/** Codes of any of the ranges. */
export function uniteRanges(ranges: readonly CodeSet[], codeCount: number): CodeSet {
  const present = ranges.filter((range) => !isEmptySet(range));
  if (present.length === 0) return codeRange(0, 0);
  if (present.length === 1) return present[0]!;
  const bits = new Uint32Array((codeCount >>> 5) + 1);
  for (const { from, to } of present) {
    for (let code = from; code < to; code++) bits[code >>> 5]! |= 1 << (code & 31);
  }
  return {
    from: Math.min(...present.map(({ from }) => from)),
    to: Math.max(...present.map(({ to }) => to)),
    bits,
  };
}

/** Codes `from` to `to - 1` that are not in `set`. */
export function complementOf(set: CodeSet, from: number, to: number): CodeSet {
  if (set.bits === null) {
    if (isEmptySet(set) || set.to <= from || set.from >= to) return codeRange(from, to);
    if (set.from <= from) return codeRange(set.to, to);
    if (set.to >= to) return codeRange(from, set.from);
  }
  const bits = new Uint32Array((to >>> 5) + 1);
  for (let code = from; code < to; code++) {
    if (!hasCode(set, code)) bits[code >>> 5]! |= 1 << (code & 31);
  }
  return { from, to, bits };
}

/** Collects codes into a set. */
export function codeBits(codeCount: number): { add(code: number): void; set(): CodeSet } {
  const bits = new Uint32Array((codeCount >>> 5) + 1);
  let [from, to] = [codeCount, 0];
  return {
    add(code) {
      bits[code >>> 5]! |= 1 << (code & 31);
      if (code < from) from = code;
      if (code >= to) to = code + 1;
    },
    set: () => (from >= to ? codeRange(0, 0) : { from, to, bits }),
  };
}

function hasCode({ from, to, bits }: CodeSet, code: number): boolean {
  if (code < from || code >= to) return false;
  return bits === null || ((bits[code >>> 5]! >>> (code & 31)) & 1) === 1;
}
