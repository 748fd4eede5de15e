import path from 'node:path';
import type { EngineHost, StartRequest } from '../../api/engine-host.ts';
import { AppError } from '../../base/errors.ts';
import { exitCodes } from '../../base/error-codes.ts';
import type { RunDetailView } from '../../contract/run-views.ts';
import type { RunRef } from '../../model/run.ts';
import {
  type CommandContext,
  type OutputFormat,
  printJson,
  printLines,
  withHost,
} from '../command-context.ts';
import { runExitCode } from '../exit-code.ts';
import { findDag } from '../find-dag.ts';
import { followRun, type ProgressView, type RunProgress } from '../progress/follow-run.ts';
import { openLineView } from '../progress/line-view.ts';
import { canRedraw, openLiveView } from '../progress/live-view.ts';
import { oneLine } from '../report/plain-text.ts';
import { describeRun } from '../report/run-json.ts';
import { summarizeRun } from '../report/run-summary.ts';
import { chooseDag } from '../start/choose-dag.ts';
import { stopOnSignal } from '../start/stop-on-signal.ts';

export interface StartInput {
  /** A person chooses when absent. */
  readonly dag?: string;
  /** Arguments after `--`, one parameter each. */
  readonly words: readonly string[];
  /** One text with all parameters (`--params`). */
  readonly params?: string;
  readonly name?: string;
  readonly runId?: string;
  readonly defaultWorkingDir?: string;
  readonly format: OutputFormat;
  readonly quiet: boolean;
}

/** Runs a workflow to its end and tells how it went; the exit code says it too. */
export async function runStart(context: CommandContext, input: StartInput): Promise<number> {
  if (input.params !== undefined && input.words.length > 0) {
    throw new AppError(
      'bad_request',
      'parameters were given twice: with --params and after --; use one of them',
    );
  }
  return withHost(context, async (host) => {
    const file = input.dag === undefined ? await chooseDag(context) : findDag(input.dag, context);
    if (file === undefined) return exitCodes.interrupted;
    const run = await host.startRun(toStartRequest(input, file, context.cwd));
    return driveRun(context, host, run, input);
  });
}

function toStartRequest(input: StartInput, file: string, cwd: string): StartRequest {
  return {
    source: { file },
    trigger: 'cli',
    ...(input.name === undefined ? {} : { name: input.name }),
    ...(input.runId === undefined ? {} : { dagRunId: input.runId }),
    ...(input.words.length > 0 ? { params: input.words } : {}),
    ...(input.params === undefined ? {} : { params: input.params }),
    ...(input.defaultWorkingDir === undefined
      ? {}
      : { defaultWorkingDir: path.resolve(cwd, input.defaultWorkingDir) }),
  };
}

async function driveRun(
  context: CommandContext,
  host: EngineHost,
  run: RunRef,
  input: StartInput,
): Promise<number> {
  const signals = stopOnSignal(context, host, run);
  const progress = input.quiet ? undefined : await showProgress(context, host, run);
  try {
    const detail = await host.waitForEnd(run);
    await progress?.shown;
    await report(context, host, detail, input);
    return runExitCode(detail, signals.received);
  } finally {
    progress?.close();
    signals.dispose();
  }
}

async function showProgress(context: CommandContext, host: EngineHost, run: RunRef): Promise<RunProgress> {
  const { stderr } = context.terminal;
  if (!canRedraw(stderr, context.environment)) {
    return followRun(context, host.api, { ...run, stepNames: [] }, openLineView(stderr));
  }
  const { steps } = await host.api.call('runs.get', run, context.caller);
  const view: ProgressView = openLiveView(stderr, context.clock, `${run.name}  ${run.dagRunId}`);
  return followRun(context, host.api, { ...run, stepNames: steps.map((step) => step.name) }, view);
}

async function report(
  context: CommandContext,
  host: EngineHost,
  run: RunDetailView,
  input: StartInput,
): Promise<void> {
  if (input.format === 'json') {
    await printJson(context, await describeRun(host.api, context.caller, run));
  } else if (!input.quiet) {
    await printLines(context, summarizeRun(run, context.terminal.stdout, context.clock.now()));
  } else if (runExitCode(run) !== exitCodes.success) {
    const reason = run.error === undefined ? '' : `: ${oneLine(run.error)}`;
    await context.terminal.stderr.write(
      `engine: run ${run.dagRunId} of ${run.name} ${run.status}${reason}\n`,
    );
  }
}
