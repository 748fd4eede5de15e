import { createContext, useContext } from 'react';
import { createStore, useStore, type StoreApi } from 'zustand';
import type { RunDetailView } from '../../../core/contract/run-views.ts';
import type { OperationInput } from '../../../core/contract/operations.ts';
import type { RunRef } from '../../../core/model/run.ts';
import type { NodeRef } from '../../../core/edit/text-change.ts';
import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import type { StepAppearance } from '../../graph/step-card.tsx';

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

interface TestRunOptions extends RunInputs {
  readonly fileName: string;
  readonly text: string;
  readonly scope: RunScope;
  readonly outputs: TestRun['outputs'];
}

/** Builds the start request with the current text in place of the file, which is not changed. */
export function toStartInput(options: TestRunOptions): OperationInput<'runs.start'> {
  const { fileName, text, scope, params, dagRunId, outputs } = options;
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
export function formatScope(scope: RunScope): string {
  if (scope.kind === 'all') return 'all steps';
  return scope.kind === 'step' ? `only ${scope.step}` : `up to ${scope.step}`;
}

/** State of the test loop. */
export interface TestState {
  /** The shown run. */
  readonly test: TestRun | undefined;
  /** Its details; undefined until loaded. */
  readonly run: RunDetailView | undefined;
  /** Status of its steps, by node id. */
  readonly appearances: ReadonlyMap<string, StepAppearance>;
  /** The text has changed since the run. */
  readonly isEarlierText: boolean;
  readonly isStarting: boolean;
  /** An error in the base configuration, which blocks every run. */
  readonly baseConfigIssue: Diagnostic | undefined;
  /** Why the last run was not started. */
  readonly startError: string | undefined;
  /** Set while the parameters are being asked for. */
  readonly question: { readonly scope: RunScope | 'dry' } | undefined;
  /** Why the engine rejected the values of the dialog, which stays open. */
  readonly rejection: unknown;
  /** The shown dry run. */
  readonly dry: { readonly text: string; readonly params: string } | undefined;
  /** The step whose log is open. */
  readonly logNode: NodeRef | undefined;
  /** The last parameters, by name. */
  readonly answers: Readonly<Record<string, string>>;
  /** The latest run of more than a single step. */
  readonly base: OutputSource | undefined;
  readonly outputs: PreviousOutputs;
}

export type TestStore = StoreApi<TestState>;

export const createTestStore = (): TestStore =>
  createStore(() => ({
    ...{
      test: undefined,
      run: undefined,
      appearances: new Map<string, StepAppearance>(),
      isEarlierText: false,
    },
    ...{
      isStarting: false,
      startError: undefined,
      question: undefined,
      rejection: undefined,
      dry: undefined,
      logNode: undefined,
    },
    ...{ answers: {}, baseConfigIssue: undefined, base: undefined, outputs: new Map() as PreviousOutputs },
  }));

const StoreContext = createContext<TestStore | undefined>(undefined);
/**
 * Provides the store to the views below. Without a store, as on the canvas of a sub-workflow, they show no run.
 */
export const TestStoreProvider = StoreContext.Provider;

const noRun = createTestStore();

/** Selects a part of the state; rerenders only when that part changes. */
export const useTestState = <Piece>(select: (state: TestState) => Piece): Piece =>
  useStore(useContext(StoreContext) ?? noRun, select);
