import type { RunDetailView } from '../../../../core/contract/runs/run-views.ts';

/** An output of a step in an earlier run. */
export interface PreviousOutput {
  readonly name: string;
  readonly value: string;
  readonly step: string;
  /** Creation time of the run, ISO 8601. */
  readonly createdAt: string;
}

/** Outputs by name. */
export type PreviousOutputs = ReadonlyMap<string, PreviousOutput>;

/** Merges the outputs of a run over the known ones. */
export function mergeOutputs(known: PreviousOutputs, run: RunDetailView): PreviousOutputs {
  const found = run.steps.flatMap(({ name: step, output }) =>
    output ? [{ name: output.name, value: writeValue(output.value), step, createdAt: run.createdAt }] : [],
  );
  if (found.length === 0) return known;
  return new Map([...known, ...found.map((output): [string, PreviousOutput] => [output.name, output])]);
}

const writeValue = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

const shownCharacters = 60;

/** Formats a value on one line, truncated if long. */
export function abbreviateValue(value: string): string {
  const line = value.replaceAll(/\s+/g, ' ').trim();
  if (line === '') return 'empty';
  return line.length > shownCharacters ? `${line.slice(0, shownCharacters - 1)}…` : line;
}
