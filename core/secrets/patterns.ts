/**
 * Minimum number of non-blank characters for a line to be masked separately; shorter lines, such as a bracket or
 * `EOF`, are not secret.
 */
const minLineCharacters = 4;

/**
 * Returns the strings to search so that the values are masked, as UTF-8 without duplicates: each value, the
 * value without its trailing line breaks (as `$(…)` returns it), and each of its longer lines without surrounding
 * spaces (as printed by a program that reads line by line). A value that only consists of line breaks is ignored.
 */
export function listPatterns(values: Iterable<string>): Buffer[] {
  const texts = new Set<string>();
  for (const value of values) {
    const stripped = value.replace(/[\r\n]+$/, '');
    if (stripped === '') continue;
    texts.add(value).add(stripped);
    const lines = stripped.split(/[\r\n]+/);
    if (lines.length > 1) for (const line of lines) if (isDistinctive(line)) texts.add(line.trim());
  }
  return [...texts].map((text) => Buffer.from(text));
}

const isDistinctive = (line: string): boolean => line.replaceAll(/\s/g, '').length >= minLineCharacters;
