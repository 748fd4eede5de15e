import type { RunDetailView } from '../../../../core/contract/runs/run-views.ts';

/** What a step came to in an earlier run. */
export interface KnownOutput {
  readonly name: string;
  readonly value: string;
  readonly step: string;
  /** When the run was created, ISO 8601. */
  readonly createdAt: string;
}

/** Outputs by their names. */
export type KnownOutputs = ReadonlyMap<string, KnownOutput>;

/** The outputs known so far with those of a run over them. */
export function takeOutputs(known: KnownOutputs, run: RunDetailView): KnownOutputs {
  const found = run.steps.flatMap(({ name: step, output }) =>
    output ? [{ name: output.name, value: writeValue(output.value), step, createdAt: run.createdAt }] : [],
  );
  if (found.length === 0) return known;
  return new Map([...known, ...found.map((output): [string, KnownOutput] => [output.name, output])]);
}

const writeValue = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

const shownCharacters = 60;

/** A value on one line, cut where it is long. */
export function abbreviateValue(value: string): string {
  const line = value.replaceAll(/\s+/g, ' ').trim();
  if (line === '') return 'empty';
  return line.length > shownCharacters ? `${line.slice(0, shownCharacters - 1)}…` : line;
}
