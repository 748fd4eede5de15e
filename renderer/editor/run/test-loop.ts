import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import type { Dispose } from '../../../core/base/clock.ts';
import type { Bridge } from '../../../core/contract/transport.ts';
import type { RunDetailView } from '../../../core/contract/run-views.ts';
import type { Analysis } from '../../../core/edit/build-outline.ts';
import type { NodeRef } from '../../../core/edit/text-change.ts';
import { isFinal } from '../../../core/model/run.ts';
import type { Workflow } from '../../../core/model/workflow.ts';
import { errorText, readFieldErrors } from '../../format/error-text.ts';
import { collectAppearances } from '../../graph/step-card.tsx';
import { hasParams } from '../../features/start/param-values.ts';
import type { SessionView, EditorSession } from '../session/editor-session.ts';
import {
  mergeOutputs,
  type PreviousOutputs,
  toStartInput,
  type OutputSource,
  type RunScope,
  type RunInputs,
  type TestRun,
  createTestStore,
} from './test-store.ts';

/** Why a text cannot be run. */
export interface RunBlocker {
  readonly reason: string;
  /** The diagnostic, if the text has an error. */
  readonly problem?: Diagnostic;
}

/** Whether a workflow is as it was created and lacks only its first step. */
export const isBlank = ({ text }: Analysis): boolean => /^\s*(?:steps:\s*\[\]\s*)?$/.test(text);

/** Returns why the text cannot be run, as far as the latest analysis knows; undefined if it can. */
export function findRunBlocker(
  { analysis, failure }: Pick<SessionView, 'analysis' | 'failure'>,
  baseConfigIssue: Diagnostic | undefined,
): RunBlocker | undefined {
  if (failure !== undefined) return { reason: 'Validation failed. The workflow cannot run.' };
  if (analysis === undefined) return { reason: 'Validation in progress.' };
  if (isBlank(analysis)) return { reason: 'Add a step first.' };
  const problem = analysis.diagnostics.find(({ severity }) => severity === 'error');
  if (problem) return { reason: `Error on line ${problem.line}: ${problem.message}`, problem };
  if (analysis.workflows.length === 0) return { reason: 'The file contains no workflow.' };
  if (baseConfigIssue)
    return {
      reason: `Error in the base configuration on line ${baseConfigIssue.line}: ${baseConfigIssue.message}`,
    };
  return undefined;
}

/** Run commands of the views, by button, menu or key. Names are step names. */
export interface RunCommands {
  readonly runAll: () => void;
  readonly runStep: (name: string) => void;
  readonly runUpTo: (name: string) => void;
  readonly dryRun: () => void;
  /** Opens the log of a step in the shown run. */
  readonly showLog: (ref: NodeRef) => void;
}

export interface TestPorts {
  readonly session: EditorSession;
  readonly bridge: Bridge;
  /** Displays why nothing was done. */
  readonly notify: (reason: string) => void;
  /** Goes to the problem in the text. */
  readonly showProblem: (problem: Diagnostic) => void;
}

/**
 * Runs the text of a session, saved or not, and holds the state of the run for the views. It never writes the
 * file.
 */
export class TestLoop implements RunCommands {
  readonly store = createTestStore();
  readonly #ports: TestPorts;
  /** Ends the wait for the analysis of the latest text. */
  #stopWaiting: Dispose | undefined;

  constructor(ports: TestPorts) {
    this.#ports = ports;
  }

  readonly runAll = (): void => this.#begin({ kind: 'all' });
  readonly runStep = (step: string): void => this.#begin({ kind: 'step', step });
  readonly runUpTo = (step: string): void => this.#begin({ kind: 'upTo', step });
  readonly dryRun = (): void => this.#onViewed(() => this.#ask('dry'));
  readonly showLog = (ref: NodeRef): void => {
    if (this.store.getState().test) this.store.setState({ logNode: ref });
    else this.#ports.notify('No log yet. Run the workflow first.');
  };

  /** Outputs of the last runs. */
  readonly outputs = (): PreviousOutputs => this.store.getState().outputs;

  /** Runs the same steps of the current text with the same parameters. */
  readonly runAgain = (): void => {
    const { test } = this.store.getState();
    if (test && this.#isReady()) void this.start(test.scope, { params: test.params, dagRunId: '' });
  };

  /** Removes the run from the views; it stays in the history. */
  readonly clear = (): void =>
    this.store.setState({
      ...{
        test: undefined,
        run: undefined,
        appearances: new Map(),
        startError: undefined,
        logNode: undefined,
      },
      isEarlierText: false,
    });

  /**
   * Handles the answers of the parameter dialog.
   * @param inputs with the parameters of `values`
   */
  async answer(values: Readonly<Record<string, string>>, inputs: RunInputs): Promise<void> {
    const { question, answers } = this.store.getState();
    this.store.setState({ rejection: undefined, answers: { ...answers, ...values } });
    if (question?.scope === 'dry') this.#showDry(inputs.params);
    else if (question) await this.start(question.scope, inputs);
    if (this.store.getState().rejection === undefined) this.closeQuestion();
  }

  readonly closeQuestion = (): void => this.store.setState({ question: undefined, rejection: undefined });

  /** The workflow of the text, as of the latest analysis. */
  get workflow(): Workflow | undefined {
    return this.#ports.session.view.analysis?.workflows[0];
  }

  /** Starts a run; if the engine rejects it, displays the error. */
  async start(scope: RunScope, { params, dagRunId }: RunInputs): Promise<void> {
    const { session, bridge } = this.#ports;
    const { text, fileName } = session;
    const outputs = this.#findOutputs(scope);
    this.store.setState({ isStarting: true, startError: undefined });
    try {
      const options = toStartInput({ fileName, text, scope, params, dagRunId, outputs });
      const ref = await bridge.call('runs.start', options);
      const test: TestRun = { ref, scope, text, params, ...(outputs && { outputs }) };
      const logNode = scope.kind === 'step' ? ({ section: 'step', name: scope.step } as const) : undefined;
      this.store.setState({
        ...{ test, run: undefined, appearances: new Map(), isEarlierText: session.text !== text },
        ...(this.store.getState().logNode && logNode && { logNode }),
      });
    } catch (error) {
      // A wrong value is shown at its field.
      const isRejected = this.store.getState().question !== undefined && readFieldErrors(error).length > 0;
      this.store.setState(isRejected ? { rejection: error } : { startError: errorText(error) });
    } finally {
      this.store.setState({ isStarting: false });
    }
  }

  async stop(): Promise<void> {
    const { test } = this.store.getState();
    if (!test) return;
    try {
      await this.#ports.bridge.call('runs.stop', test.ref);
    } catch (error) {
      this.#ports.notify(errorText(error));
    }
  }

  /** Updates the state of the shown run. */
  handleRun(run: RunDetailView): void {
    const { test, appearances, outputs, run: before } = this.store.getState();
    if (!test || run.dagRunId !== test.ref.dagRunId || run === before) return;
    this.store.setState({
      run,
      appearances: collectAppearances(run, appearances),
      ...(isFinal(run.status) && { outputs: mergeOutputs(outputs, run) }),
      ...(isFinal(run.status) && test.scope.kind !== 'step' && { base: toSource(run) }),
    });
  }

  /** Takes the outputs of a run from before the visit. */
  loadEarlierRun(run: RunDetailView): void {
    const { base, outputs } = this.store.getState();
    if (base) return;
    this.store.setState({
      base: toSource(run),
      outputs: new Map([...mergeOutputs(new Map(), run), ...outputs]),
    });
  }

  /** Compares the text with the one that was run. */
  compareText(): void {
    const { test, isEarlierText } = this.store.getState();
    const isOther = test !== undefined && test.text !== this.#ports.session.text;
    if (isOther !== isEarlierText) this.store.setState({ isEarlierText: isOther });
  }

  #begin(scope: RunScope): void {
    this.#onViewed(() => {
      if (this.#isReady()) this.#ask(scope);
    });
  }

  /**
   * Waits for the analysis of the latest text, because a shortcut may come right after the edit that fixed an
   * error.
   */
  #onViewed(act: () => void): void {
    const { session } = this.#ports;
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
    const isWaited = (): boolean => session.view.isStale && session.view.failure === undefined;
    if (!isWaited()) return act();
    this.#stopWaiting = session.subscribe(() => {
      if (isWaited()) return;
      this.#stopWaiting?.();
      this.#stopWaiting = undefined;
      act();
    });
  }

  #isReady(): boolean {
    const { test, run, isStarting } = this.store.getState();
    if (!isStarting && !(test && !(run && isFinal(run.status)))) return true;
    this.#ports.notify('A run is still active. Stop it or wait until it finishes.');
    return false;
  }

  #ask(scope: RunScope | 'dry'): void {
    const { session, notify, showProblem } = this.#ports;
    const error = findRunBlocker(session.view, this.store.getState().baseConfigIssue);
    if (error) {
      notify(error.reason);
      if (error.problem) showProblem(error.problem);
    } else if (hasParams(this.workflow)) {
      this.store.setState({ question: { scope }, rejection: undefined });
    } else if (scope === 'dry') {
      this.#showDry('');
    } else {
      void this.start(scope, { params: '', dagRunId: '' });
    }
  }

  #showDry(params: string): void {
    this.store.setState({ dry: { text: this.#ports.session.text, params } });
  }

  #findOutputs(scope: RunScope): OutputSource | 'none' | undefined {
    if (scope.kind !== 'step') return undefined;
    const step = this.workflow?.steps.find(({ name }) => name === scope.step);
    if (!step || step.depends.length === 0) return undefined;
    return this.store.getState().base ?? 'none';
  }
}

const toSource = ({ dagRunId, createdAt }: RunDetailView): OutputSource => ({ dagRunId, createdAt });
