import type { OperationInput } from '../../../../core/contract/operations.ts';
import type { RunRef } from '../../../../core/model/run/run.ts';

/** How much of the workflow a run is of. */
export type RunScope =
  | { readonly kind: 'all' }
  /** One step alone. */
  | { readonly kind: 'step'; readonly step: string }
  /** A step and all that it depends on. */
  | { readonly kind: 'upTo'; readonly step: string };

/** What a run is given by whoever starts it. */
export interface RunWishes {
  /** As after `--params` on the command line; empty for the defaults. */
  readonly params: string;
  /** Empty for a new id. */
  readonly dagRunId: string;
}

/** An earlier run whose outputs a single step is given. */
export interface OutputSource {
  readonly dagRunId: string;
  readonly createdAt: string;
}

/** A run that was started from the editor. */
export interface TestRun {
  readonly ref: RunRef;
  readonly scope: RunScope;
  /** What was run. */
  readonly text: string;
  readonly params: string;
  /** Of a single step that depends on others: where their outputs came from, or that there are none. */
  readonly outputs?: OutputSource | 'none';
}

interface StartParts extends RunWishes {
  readonly fileName: string;
  readonly text: string;
  readonly scope: RunScope;
  readonly outputs: TestRun['outputs'];
}

/** What the engine is asked for: the text as it is, in place of its file's, which stays as it is. */
export function toStartInput(parts: StartParts): OperationInput<'runs.start'> {
  const { fileName, text, scope, params, dagRunId, outputs } = parts;
  return {
    spec: text,
    fileName,
    ...(params !== '' && { params }),
    ...(dagRunId !== '' && { dagRunId }),
    ...(scope.kind === 'step' && { steps: [scope.step] }),
    ...(scope.kind === 'upTo' && { upTo: scope.step }),
    ...(typeof outputs === 'object' && { outputsFrom: outputs.dagRunId }),
  };
}

/** What is run, in words that follow "Run". */
export function describeScope(scope: RunScope): string {
  if (scope.kind === 'all') return 'all steps';
  return scope.kind === 'step' ? `only ${scope.step}` : `up to ${scope.step}`;
}
