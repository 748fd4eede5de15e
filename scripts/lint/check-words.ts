/**
 * Counts words that the product does not use, in code, comments, texts, tests and documentation, and compares the counts
 * with those in `words.json`. A word that occurs more often than there fails `npm run lint`; the counts only shrink:
 * `node scripts/lint/check-words.ts --update` lowers them.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../setup/run-command.mjs';

const LIST = join(import.meta.dirname, 'words.json');
/** Files with third-party texts, or texts of earlier releases. */
const EXCLUDED =
  /^(CHANGELOG\.md|scripts\/lint\/words\.json|package-lock\.json|resources\/|test\/fixtures\/|core\/quotes\/)|\.(svg|png|snap)$/;

interface Word {
  /** The replacement. */
  readonly use: string;
  /** Maximum number of occurrences. */
  readonly most: number;
}

/** Splits identifiers into words: `keptRunWish` has three, `RUN_WISH` two. */
const splitWords = (text: string): string =>
  text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase();

function listFiles(): string[] {
  const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return tracked
    .split('\n')
    .filter((file) => /\.(ts|tsx|mjs|cjs|css|md|ya?ml|json)$/.test(file) && !EXCLUDED.test(file));
}

function countWords(args: readonly string[]): Map<string, string[]> {
  const places = new Map(args.map((word) => [word, [] as string[]]));
  const pattern = new RegExp(String.raw`\b(${args.join('|')})\b`, 'g');
  for (const file of listFiles()) {
    let text: string;
    try {
      text = readFileSync(join(ROOT, file), 'utf8');
    } catch {
      // Deleted but not committed yet.
      continue;
    }
    for (const [index, line] of text.split('\n').entries())
      for (const [word] of splitWords(line).matchAll(pattern)) places.get(word)?.push(`${file}:${index + 1}`);
  }
  return places;
}

const list = JSON.parse(readFileSync(LIST, 'utf8')) as Record<string, Word>;
const counts = countWords(Object.keys(list));
if (process.argv.includes('--update')) {
  const lowered = Object.fromEntries(
    Object.entries(list).map(([word, { use, most: max }]) => [
      word,
      { use, most: Math.min(max, counts.get(word)?.length ?? 0) },
    ]),
  );
  writeFileSync(LIST, `${JSON.stringify(lowered, undefined, 2)}\n`);
}
const faults = Object.entries(list).flatMap(([word, { use, most: max }]) => {
  const places = counts.get(word) ?? [];
  if (places.length <= max) return [];
  return [
    `"${word}" occurs ${places.length} times, at most ${max} are allowed. Write: ${use}.`,
    ...places.slice(-5).map((entry) => `  ${entry}`),
  ];
});
console.log(faults.length === 0 ? `${counts.size} words checked` : faults.join('\n'));
process.exitCode = faults.length === 0 ? 0 : 1;
