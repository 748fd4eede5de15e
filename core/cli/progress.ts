import { exitCodes } from '../base/error-codes.ts';
import type { RunDetailView } from '../contract/run-views.ts';
import type { RunRef, StepStatus } from '../model/run.ts';
import type { EventView } from '../contract/logs.ts';
import type { EngineApi } from '../api/engine-api.ts';
import { formatDuration } from '../base/text.ts';
import type { Clock } from '../base/clock.ts';
import type { RunEvent } from '../model/run-event.ts';
import { type CommandContext, type OutputFormat, printJson, printLines } from './command-context.ts';
import type { CiReports } from './ci-reports.ts';
import { runExitCode } from './print-error.ts';
import type { EngineClient, RunOutcome } from './host/engine-client.ts';
import {
  emptyProgress,
  getRetryProgress,
  type RunProgressState,
  applyEvent,
  countStatuses,
  hasEnded,
  type StepProgressState,
} from './run-progress-state.ts';
import {
  displayWidth,
  formatClockTime,
  oneLine,
  padToWidth,
  statusStyles,
  truncateToWidth,
} from './format.ts';
import { toRunJson, summarizeRun } from './run-report.ts';
import { stopOnSignal } from './signals.ts';
import type { Channel } from './terminal.ts';
import { formatEvent, formatItemCounts } from './event-text.ts';

/** Output options for a run. */
export interface RunOutputOptions {
  readonly format: OutputFormat;
  readonly quiet: boolean;
  /** For a retried run: its previous end, and the steps to keep. */
  readonly before?: { readonly run: RunDetailView; readonly reusedSteps: ReadonlySet<string> };
  /** Merged into the JSON object of the run. */
  readonly note?: object;
  /** Written after the run has ended. */
  readonly reports?: CiReports | undefined;
}

/** Displays a started run until its end and reports its outcome, also as the exit code. */
export async function watchRun(
  context: CommandContext,
  host: EngineClient,
  run: RunRef,
  options: RunOutputOptions,
): Promise<number> {
  const code = await showRun(context, host, run, options);
  if (options.reports !== undefined) {
    const { name, dagRunId } = run;
    const detail = await host.api.call('runs.get', { name, dagRunId }, context.caller);
    await options.reports.write(host, detail);
  }
  return code;
}

async function showRun(
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
  const earlier = before && getRetryProgress(before.run, before.reusedSteps);
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
      ...(await toRunJson(host.api, context.caller, run)),
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

/** A view of a running run. */
interface ProgressView {
  /** Called after each event, which has been applied to the snapshot. */
  update(event: EventView, progress: RunProgressState): void;
  /** Removes temporary output from the screen. */
  close(): void;
}

/** Displays a run until it ends or `close` is called. */
interface RunProgress {
  /** Resolves after the run's last event has been shown, or the event stream has ended. */
  readonly shown: Promise<void>;
  close(): void;
}

/** A run with its state before the first shown event. */
export interface FollowedRun extends RunRef {
  /** Updated in place. */
  readonly progress: RunProgressState;
  /** Only events after this one are shown; 0 for all. */
  readonly after: number;
}

/** Connects a run's events to a view. The view is closed before `shown` resolves. */
function followRun(
  context: CommandContext,
  api: EngineApi,
  { name, dagRunId, progress, after }: FollowedRun,
  view: ProgressView,
): RunProgress {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (): void => {
    view.close();
    resolve();
  };
  const leave = api.follow(
    'events.follow',
    { name, dagRunId, after },
    {
      item(event) {
        applyEvent(progress, event);
        view.update(event, progress);
        if (event.event.type === 'run.finished') end();
      },
      end,
    },
    context.caller,
  );
  return {
    shown: promise,
    close() {
      leave();
      end();
    },
  };
}

/** Opens a view with one line per event: `15:04:05 step extract started`. For files, pipes, CI and small terminals. */
export function openLineView(channel: Channel): ProgressView {
  return {
    update(event, progress) {
      const described = formatEvent(event, progress);
      if (described === undefined) return;
      const { status, text } = described;
      const colored = status === undefined ? text : channel.paint(statusStyles[status].paint, text);
      void channel.write(`${channel.paint('dim', formatClockTime(new Date(event.at)))} ${colored}\n`);
    },
    close() {},
  };
}

const spinner = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

interface FrameOptions {
  readonly channel: Channel;
  readonly title: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Returns the lines of a live view: a heading, the steps that fit, and counts of the rest. */
export function drawFrame(progress: RunProgressState, options: FrameOptions): string[] {
  const { channel, title, now } = options;
  const took = progress.startedAt === undefined ? '' : `  ${formatDuration(now - progress.startedAt)}`;
  const state = progress.stopRequested ? 'stopping' : progress.status;
  const heading = channel.paint('bold', truncateToWidth(`${title}  ${state}${took}`, channel.columns - 1));
  const nodes = [...progress.nodes.values()];
  // Heading, counts and cursor line take one row each.
  const shown = chooseNodes(nodes, channel.rows - 3);
  const nameWidth = Math.min(32, Math.max(...shown.map((node) => displayWidth(oneLine(node.name))), 1));
  const lines = [heading, ...shown.map((node) => drawNode(node, nameWidth, options))];
  return shown.length === nodes.length
    ? lines
    : [...lines, channel.paint('dim', drawCounts(progress, channel.columns))];
}

/** Returns all nodes if they fit; otherwise the most relevant ones, in workflow order. */
export function chooseNodes(nodes: readonly StepProgressState[], room: number): StepProgressState[] {
  if (nodes.length <= room) return [...nodes];
  const byInterest = [...nodes].sort((a, b) => interestRank(a) - interestRank(b));
  const chosen = new Set(byInterest.slice(0, Math.max(1, room)));
  return nodes.filter((node) => chosen.has(node));
}

const interestOrder: readonly StepStatus[] = [
  'running',
  'failed',
  'aborted',
  'partially_succeeded',
  'not_started',
];

function interestRank(node: StepProgressState): number {
  const rank = interestOrder.indexOf(node.status);
  return rank < 0 ? interestOrder.length : rank;
}

function drawNode(node: StepProgressState, nameWidth: number, { channel, now }: FrameOptions): string {
  const { paint } = statusStyles[node.status];
  const frame = spinner[Math.floor(now / 100) % spinner.length] ?? '';
  const shape =
    node.status === 'running' && node.retryAt === undefined ? frame : statusStyles[node.status].shape;
  const name = padToWidth(truncateToWidth(oneLine(node.name), nameWidth), nameWidth);
  const details = truncateToWidth(printNode(node, now), channel.columns - nameWidth - 5);
  return `${channel.paint(paint, shape)} ${name}  ${channel.paint('dim', details)}`;
}

function printNode(node: StepProgressState, now: number): string {
  if (node.startedAt === undefined)
    return node.error === undefined ? '' : `${node.status}: ${oneLine(node.error)}`;
  const took = formatDuration((hasEnded(node) ? (node.finishedAt ?? now) : now) - node.startedAt);
  const attempt = node.attempt > 1 ? `  attempt ${node.attempt}` : '';
  const items = node.items === undefined ? '' : `  ${formatItemCounts(node.items)}`;
  const asks = node.asks === undefined ? '' : `  approval: ${oneLine(node.asks)}`;
  const retry = node.retryAt === undefined ? '' : `  next attempt in ${formatDuration(node.retryAt - now)}`;
  const error = node.error === undefined ? '' : `  ${oneLine(node.error)}`;
  return `${took}${attempt}${items}${asks}${retry}${error}`;
}

function drawCounts(progress: RunProgressState, columns: number): string {
  const counts = [...countStatuses(progress)].map(([status, count]) => `${count} ${status}`);
  return truncateToWidth(`  ${counts.join(', ')}`, columns - 1);
}

const frameMs = 100;

const stays: ReadonlySet<RunEvent['type']> = new Set([
  'run.message',
  'step.approval_requested',
  'step.approval_resolved',
]);

/** Whether the channel supports a redrawn view and has room for it. */
export const canRedraw = (
  channel: Channel,
  environment: Readonly<Record<string, string | undefined>>,
): boolean =>
  channel.isTty &&
  channel.columns >= 40 &&
  channel.rows >= 8 &&
  environment['TERM'] !== 'dumb' &&
  (environment['CI'] ?? '') === '';

/**
 * Opens a compact step list that is redrawn in place and removed when the run has ended; the summary follows. Notes,
 * warnings, questions and answers stay above it.
 */
export function openLiveView(channel: Channel, clock: Clock, title: string): ProgressView {
  let progress: RunProgressState = emptyProgress([]);
  const draw = (): void => channel.pin(drawFrame(progress, { channel, title, now: clock.now() }));
  const stop = clock.every(frameMs, draw);
  return {
    update(event, now) {
      const isFirst = progress !== now;
      progress = now;
      if (stays.has(event.event.type)) void channel.write(`${formatEvent(event, now)?.text ?? ''}\n`);
      if (isFirst) draw();
    },
    close() {
      stop();
      channel.pin([]);
    },
  };
}
