import fc from 'fast-check';

/**
 * Any text without lone surrogates, sometimes a name that every object has. The `unit: 'binary'` of fast-check makes
 * the same characters, but first a table of all 1.1 million: it costs each process a second.
 */
export function anyText(bounds: fc.StringSharedConstraints = {}): fc.Arbitrary<string> {
  const { minLength = 0, maxLength = Infinity } = bounds;
  const names = inheritedNames.filter(({ length }) => length >= minLength && length <= maxLength);
  const text = fc.string({ unit: character, ...bounds });
  if (names.length === 0) return text;
  return fc.oneof(
    { weight: 20, arbitrary: text },
    { weight: 1, arbitrary: fc.constantFrom(...names) },
  );
}

const inheritedNames = ['__proto__', 'constructor', 'toString', 'valueOf'];

/** A third of the characters are ASCII. */
const character = fc
  .oneof(
    fc.integer({ min: 0, max: 0x7f }),
    fc.integer({ min: 0x80, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10_ffff }),
  )
  .map((codePoint) => String.fromCodePoint(codePoint));
