/** Fewer non-blank characters in a line are no secret of their own: a bracket, an `EOF`. */
const leastLineCharacters = 4;

/**
 * The texts to look for so that the given values do not show, as UTF-8, without repeats: each value, the value
 * without the line breaks at its end (as `$(…)` prints it), and its longer lines one by one, without the blanks
 * around them (as a program prints them that reads line by line). A value of nothing but line breaks hides nothing.
 */
export function listPatterns(values: Iterable<string>): Buffer[] {
  const texts = new Set<string>();
  for (const value of values) {
    const stripped = value.replace(/[\r\n]+$/, '');
    if (stripped === '') continue;
    texts.add(value).add(stripped);
    const lines = stripped.split(/[\r\n]+/);
    if (lines.length > 1) for (const line of lines) if (isTelling(line)) texts.add(line.trim());
  }
  return [...texts].map((text) => Buffer.from(text));
}

const isTelling = (line: string): boolean => line.replaceAll(/\s/g, '').length >= leastLineCharacters;
