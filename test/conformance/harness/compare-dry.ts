import type { DryResult } from './case-result.ts';
import type { DryOutcome } from './expectation-format.ts';
import { isText, isValue } from './match-text.ts';

/** In what a dry run said something else than was expected, or did something. */
export function compareDry(expected: DryOutcome, { view, exit, places, newFiles }: DryResult): string[] {
  const differences: string[] = [];
  const differ = (what: string, was: unknown, wanted: unknown): void => {
    differences.push(`${what} was ${JSON.stringify(was)}, expected ${JSON.stringify(wanted)}`);
  };
  if (view.runnable !== expected.runnable) differ('runnable', view.runnable, expected.runnable);
  const wantedExit = expected.runnable ? 0 : 1;
  if (exit !== undefined && exit !== wantedExit) differ('exit code of engine dry', exit, wantedExit);
  for (const key of ['plans', 'findings'] as const) {
    if (expected[key] !== undefined && !isValue(view[key], expected[key], places))
      differ(key, view[key], expected[key]);
  }
  const said = JSON.stringify(view);
  for (const text of expected.silentOf ?? [])
    if (said.includes(text)) differ('the answer', said, `no ${text}`);
  const leaves = expected.leaves ?? {};
  for (const [path, text] of Object.entries(newFiles))
    if (leaves[path] === undefined || !isText(text, leaves[path], places)) differ(path, text, leaves[path]);
  for (const path of Object.keys(leaves)) if (newFiles[path] === undefined) differ(path, null, leaves[path]);
  return differences;
}
