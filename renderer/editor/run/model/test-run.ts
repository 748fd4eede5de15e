import type { OperationInput } from '../../../../core/contract/operations.ts';
import type { RunRef } from '../../../../core/model/run/run.ts';

/** Which part of the workflow runs. */
export type RunScope =
  | { readonly kind: 'all' }
  /** Only one step. */
  | { readonly kind: 'step'; readonly step: string }
  /** A step and all its dependencies. */
  | { readonly kind: 'upTo'; readonly step: string };

/** Options of a new run. */
export interface RunInputs {
  /** As after `--params` on the command line; empty for the defaults. */
  readonly params: string;
  /** Empty to generate an id. */
  readonly dagRunId: string;
}

/** An earlier run that provides outputs to a single step. */
export interface OutputSource {
  readonly dagRunId: string;
  readonly createdAt: string;
}

/** A run started from the editor. */
export interface TestRun {
  readonly ref: RunRef;
  readonly scope: RunScope;
  /** The text that was run. */
  readonly text: string;
  readonly params: string;
  /** For a single step with dependencies: the source of their outputs, or that there is none. */
  readonly outputs?: OutputSource | 'none';
}

interface StartDeps extends RunInputs {
  readonly fileName: string;
  readonly text: string;
  readonly scope: RunScope;
  readonly outputs: TestRun['outputs'];
}

/** Builds the start request with the current text in place of the file, which is not changed. */
export function toStartInput(deps: StartDeps): OperationInput<'runs.start'> {
  const { fileName, text, scope, params, dagRunId, outputs } = deps;
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

/** Describes the scope of a run, to follow "Run". */
export function describeScope(scope: RunScope): string {
  if (scope.kind === 'all') return 'all steps';
  return scope.kind === 'step' ? `only ${scope.step}` : `up to ${scope.step}`;
}
