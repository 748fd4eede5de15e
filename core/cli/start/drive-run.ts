import { exitCodes } from '../../base/error-codes.ts';
import type { RunDetailView } from '../../contract/runs/run-views.ts';
import type { RunRef } from '../../model/run/run.ts';
import { type CommandContext, type OutputFormat, printJson, printLines } from '../command-context.ts';
import { runExitCode } from '../errors/exit-code.ts';
import type { EngineClient, RunOutcome } from '../host/host-api.ts';
import { followRun, type RunProgress } from '../progress/follow-run.ts';
import { openLineView } from '../progress/line-view.ts';
import { canRedraw, openLiveView } from '../progress/live-view.ts';
import { emptyProgress, progressOfRetry, type RunProgressState } from '../progress/run-progress-state.ts';
import { oneLine } from '../report/plain-text.ts';
import { describeRun } from '../report/run-json.ts';
import { summarizeRun } from '../report/run-summary.ts';
import { stopOnSignal } from './stop-on-signal.ts';

/** Output options for a run. */
export interface RunOutputOptions {
  readonly format: OutputFormat;
  readonly quiet: boolean;
  /** For a retried run: its previous end, and the steps to keep. */
  readonly before?: { readonly run: RunDetailView; readonly kept: ReadonlySet<string> };
  /** Merged into the JSON object of the run. */
  readonly note?: object;
}

/** Shows a started run until its end and reports its outcome, also as the exit code. */
export async function watchRun(
  context: CommandContext,
  host: EngineClient,
  run: RunRef,
  options: RunOutputOptions,
): Promise<number> {
  const signals = stopOnSignal(context, host, run);
  const progress = options.quiet ? undefined : await showProgress(context, host, run, options);
  try {
    if (options.quiet && options.format === 'text') {
      const outcome = await host.waitForOutcome(run);
      await printFailure(context, run, outcome);
      return runExitCode(outcome, signals.received);
    }
    const detail = await host.waitForEnd(run);
    await progress?.shown;
    await report(context, host, detail, options);
    return runExitCode(detail, signals.received);
  } finally {
    progress?.close();
    signals.close();
  }
}

async function showProgress(
  context: CommandContext,
  host: EngineClient,
  run: RunRef,
  { before }: RunOutputOptions,
): Promise<RunProgress> {
  const { stderr } = context.terminal;
  const after = before?.run.lastEventId ?? 0;
  const earlier = before && progressOfRetry(before.run, before.kept);
  if (!canRedraw(stderr, context.environment)) {
    const progress = earlier ?? emptyProgress([]);
    return followRun(context, host.api, { ...run, progress, after }, openLineView(stderr));
  }
  const progress = earlier ?? (await initialProgress(context, host, run));
  const view = openLiveView(stderr, context.clock, `${run.name}  ${run.dagRunId}`);
  return followRun(context, host.api, { ...run, progress, after }, view);
}

async function initialProgress(
  context: CommandContext,
  host: EngineClient,
  run: RunRef,
): Promise<RunProgressState> {
  const { steps } = await host.api.call('runs.get', run, context.caller);
  return emptyProgress(steps.map((step) => step.name));
}

async function report(
  context: CommandContext,
  host: EngineClient,
  run: RunDetailView,
  options: RunOutputOptions,
): Promise<void> {
  if (options.format === 'json') {
    await printJson(context, {
      ...(await describeRun(host.api, context.caller, run)),
      ...options.note,
    });
  } else {
    await printLines(context, summarizeRun(run, context.terminal.stdout, context.clock.now()));
  }
}

/** Prints the only output of `--quiet`. */
async function printFailure(
  context: CommandContext,
  { name, dagRunId }: RunRef,
  outcome: RunOutcome,
): Promise<void> {
  if (runExitCode(outcome) === exitCodes.success) return;
  const reason = outcome.error === undefined ? '' : `: ${oneLine(outcome.error)}`;
  await context.terminal.stderr.write(`engine: run ${dagRunId} of ${name} ${outcome.status}${reason}\n`);
}
