import { createContext, useContext } from 'react';
import { createStore, useStore, type StoreApi } from 'zustand';
import type { RunDetailView } from '../../../core/contract/runs/run-views.ts';
import type { NodeRef } from '../../../core/edit/edit-result.ts';
import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import type { StepAppearance } from '../../graph/step-appearance.ts';
import type { PreviousOutputs } from './model/previous-outputs.ts';
import type { OutputSource, RunScope, TestRun } from './model/test-run.ts';

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
  /** The shown dry run. */
  readonly dry: { readonly text: string; readonly params: string } | undefined;
  /** The step whose log is open. */
  readonly logOf: NodeRef | undefined;
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
    ...{ isStarting: false, startError: undefined, question: undefined, dry: undefined, logOf: undefined },
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
