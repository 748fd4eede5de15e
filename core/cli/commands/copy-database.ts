import type { Dispose } from '../../base/clock.ts';
import { exitCodes } from '../../base/error-codes.ts';
import { AppError } from '../../base/errors.ts';
import { formatDuration } from '../../base/text.ts';
import type { CopyPhase } from '../../store/copy/copy-rows.ts';
import {
  copyHomeDatabase,
  type DatabaseCopy,
  getHomeLocation,
  parseLocation,
} from '../../store/maintenance/copy-database.ts';
import {
  prepareHomePaths,
  type CommandContext,
  printJson,
  printLines,
  type ResultFormat,
  type StopSignal,
} from '../command-context.ts';
import { formatTable } from '../format.ts';
import { signalExitCodes } from '../print-error.ts';

export interface DbCopyInput extends ResultFormat {
  /** A file or a server URL. Default: the home's database. */
  readonly from?: string;
  readonly to: string;
}

const continueHint = 'Run the same command again to continue.';

/** Copies a database into an empty one of either kind and compares both, or continues an interrupted copy. */
export async function runDbCopy(context: CommandContext, input: DbCopyInput): Promise<number> {
  const { from, to, format } = input;
  const { cwd, clock, terminal } = context;
  const source =
    from === undefined ? getHomeLocation(await prepareHomePaths(context)) : parseLocation(from, cwd);
  const controller = new AbortController();
  let stopSignal: StopSignal | undefined;
  const stopListening = context.onSignal((signal) => {
    stopSignal = signal;
    controller.abort();
  });
  const meter = showProgress(context);
  let copy: DatabaseCopy;
  try {
    const options = { onProgress: meter.report, signal: controller.signal };
    copy = await copyHomeDatabase(source, parseLocation(to, cwd), clock, options);
  } catch (error) {
    meter.stop();
    if (stopSignal === undefined) throw addHint(error);
    await terminal.stderr.write(`engine: stopped. ${continueHint}\n`);
    return signalExitCodes[stopSignal];
  } finally {
    meter.stop();
    stopListening();
  }
  if (format === 'json') await printJson(context, copy);
  else await print(context, copy);
  return exitCodes.success;
}

/** Progress is saved in the target, so nothing is lost with a connection. */
function addHint(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'unavailable') return error;
  return new AppError(error.code, error.message, {
    details: { ...error.details, hint: continueHint },
    cause: error,
  });
}

async function print(context: CommandContext, copy: DatabaseCopy): Promise<void> {
  const rows = copy.tables.map(({ name, rows: count, sha256 }) => [name, String(count), sha256.slice(0, 16)]);
  await printLines(context, formatTable(['TABLE', 'ROWS', 'SHA-256'], rows, ['ROWS']));
  const start = copy.isRestarted
    ? 'The source had changed since the interrupted copy, which was started over.\n'
    : '';
  const resumed =
    copy.resumedRows > 0 ? ` (${formatCount(copy.resumedRows)} rows by an interrupted copy)` : '';
  await context.terminal.stderr.write(
    `${start}Copied ${copy.from} to ${copy.to}${resumed}. Row counts and hashes of all tables match.\n`,
  );
}

const phases: Readonly<Record<CopyPhase, { readonly title: string; readonly unit: string }>> = {
  check: { title: 'Checking the interrupted copy', unit: 'rows' },
  copy: { title: 'Copying', unit: 'rows' },
  index: { title: 'Creating indexes', unit: 'indexes' },
  verify: { title: 'Verifying', unit: 'rows' },
};

const drawIntervalMs = 100;
/** Between lines of a log. */
const lineIntervalMs = 10_000;

/** Shows the progress on a terminal as a line that changes, elsewhere as lines. */
function showProgress({ clock, terminal: { stderr } }: CommandContext): {
  readonly report: (phase: CopyPhase, done: number, total: number) => void;
  readonly stop: Dispose;
} {
  let current: { readonly phase: CopyPhase; readonly done: number; readonly at: number } | undefined;
  let nextAt = 0;
  return {
    report: (phase, done, total) => {
      const now = clock.monotonic();
      if (current?.phase !== phase) current = { phase, done, at: now };
      else if (now < nextAt && done < total) return;
      nextAt = now + (stderr.isTty ? drawIntervalMs : lineIntervalMs);
      const line = formatProgress(phase, {
        done,
        total,
        rate: ((done - current.done) / (now - current.at)) * 1000,
      });
      if (stderr.isTty) stderr.pin([line]);
      else void stderr.write(`${line}\n`);
    },
    stop: () => stderr.isTty && stderr.pin([]),
  };
}

function formatProgress(
  phase: CopyPhase,
  { done, total, rate }: { readonly done: number; readonly total: number; readonly rate: number },
): string {
  const { title, unit } = phases[phase];
  const count = `${title}: ${formatCount(done)} of ${formatCount(total)} ${unit}`;
  if (unit !== 'rows' || !Number.isFinite(rate) || rate <= 0) return count;
  const left = done < total ? `, ${formatDuration(((total - done) / rate) * 1000)} left` : '';
  return `${count}, ${formatCount(Math.round(rate))} rows/s${left}`;
}

const formatCount = (count: number): string => count.toLocaleString('en-US');
