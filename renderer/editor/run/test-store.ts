import { createContext, useContext } from 'react';
import { createStore, useStore, type StoreApi } from 'zustand';
import type { RunDetailView } from '../../../core/contract/runs/run-views.ts';
import type { NodeRef } from '../../../core/edit/edit-result.ts';
import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import type { StepLook } from '../../graph/step-look.ts';
import type { KnownOutputs } from './model/known-outputs.ts';
import type { OutputSource, RunScope, TestRun } from './model/test-run.ts';

/** What the test loop shows. */
export interface TestState {
  /** The run that the views show. */
  readonly test: TestRun | undefined;
  /** How it stands; undefined until the engine has told. */
  readonly run: RunDetailView | undefined;
  /** How its steps stand, by the ids of their nodes. */
  readonly looks: ReadonlyMap<string, StepLook>;
  /** The text is another by now than the one that was run. */
  readonly isEarlierText: boolean;
  readonly isStarting: boolean;
  /** Keeps every text from being run. */
  readonly baseFault: Diagnostic | undefined;
  /** Why the last run was not started. */
  readonly refusal: string | undefined;
  /** The parameters are being asked for. */
  readonly question: { readonly scope: RunScope | 'dry' } | undefined;
  /** What is shown of a dry run. */
  readonly dry: { readonly text: string; readonly params: string } | undefined;
  /** Whose log is open. */
  readonly logOf: NodeRef | undefined;
  /** Parameters as they were answered last, by name. */
  readonly answers: Readonly<Record<string, string>>;
  /** The newest run of more than a single step. */
  readonly base: OutputSource | undefined;
  readonly outputs: KnownOutputs;
}

export type TestStore = StoreApi<TestState>;

export const createTestStore = (): TestStore =>
  createStore(() => ({
    ...{ test: undefined, run: undefined, looks: new Map<string, StepLook>(), isEarlierText: false },
    ...{ isStarting: false, refusal: undefined, question: undefined, dry: undefined, logOf: undefined },
    ...{ answers: {}, baseFault: undefined, base: undefined, outputs: new Map() as KnownOutputs },
  }));

const StoreContext = createContext<TestStore | undefined>(undefined);
/** For views below it. Without a store, as on the canvas of a sub-workflow, they show no run. */
export const TestStoreProvider = StoreContext.Provider;

const noRun = createTestStore();

/** A piece of it; rendered again only when that piece is another. */
export const useTestState = <Piece>(select: (state: TestState) => Piece): Piece =>
  useStore(useContext(StoreContext) ?? noRun, select);
