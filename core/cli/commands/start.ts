import type { StartRequest } from '../../api/engine-api.ts';
import { AppError } from '../../base/errors.ts';
import { exitCodes } from '../../base/error-codes.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { RunRef } from '../../model/run.ts';
import { findUnknownParams, parseParamText, parseParamTokens } from '../../spec/params.ts';
import { type CommandContext, type OutputFormat, withHost } from '../command-context.ts';
import { findRun, readCliParams, type CliParams } from '../arguments.ts';
import {
  type EngineClient,
  hostFolder,
  type WorkflowMatch,
  type WorkflowChoice,
} from '../host/engine-client.ts';
import type { TypedParams } from '../prompts.ts';
import { watchRun } from '../progress.ts';
import { oneLine } from '../format.ts';
import type { ReportTarget } from '../options.ts';

export interface StartInput extends CliParams {
  /** Default: prompt for a workflow. */
  readonly dag?: string;
  readonly name?: string;
  readonly runId?: string;
  /** Use workflow and parameters of this run. */
  readonly fromRunId?: string;
  readonly defaultWorkingDir?: string;
  readonly singleton: boolean;
  /** False with `--no-queue`. */
  readonly queue: boolean;
  readonly disableMaxActiveRuns: boolean;
  readonly format: OutputFormat;
  readonly quiet: boolean;
  readonly report?: readonly ReportTarget[];
}

/** Runs a workflow to its end and reports its outcome, also as the exit code. */
export async function runStart(context: CommandContext, input: StartInput): Promise<number> {
  assertNoConflicts(input);
  await warnUnusedOptions(context, input);
  if (input.report !== undefined) return runWithReports(context, input, input.report);
  return withHost(context, async (host) => {
    const run = await startRun(context, host, input);
    return run === undefined ? exitCodes.interrupted : watchRun(context, host, run, input);
  });
}

/** Also writes reports, whose files are checked before the run. */
async function runWithReports(
  context: CommandContext,
  input: StartInput,
  targets: readonly ReportTarget[],
): Promise<number> {
  const { openReports } = await import('../ci-reports.ts');
  const reports = openReports(context, targets);
  return withHost(context, async (host) => {
    try {
      const run = await startRun(context, host, input);
      if (run === undefined) return exitCodes.interrupted;
      return await watchRun(context, host, run, { ...input, reports });
    } catch (error) {
      const problems = error instanceof AppError ? error.details?.['diagnostics'] : undefined;
      if (Array.isArray(problems)) await reports.writeProblems(problems as Diagnostic[]);
      throw error;
    }
  });
}

/** Options of Dagu are accepted, so that its command lines keep working. */
async function warnUnusedOptions(context: CommandContext, input: StartInput): Promise<void> {
  const { stderr } = context.terminal;
  if (!input.queue)
    await stderr.write(
      'engine: --no-queue has no effect because "start" never queues runs. Remove the option.\n',
    );
  if (input.disableMaxActiveRuns && (context.server !== undefined || input.fromRunId !== undefined))
    await stderr.write(
      'engine: --disable-max-active-runs has no effect with --server or --from-run-id. Change "maxActiveRuns" of the workflow instead.\n',
    );
}

function assertNoConflicts(input: StartInput): void {
  const { dag, fromRunId } = input;
  const params = readCliParams(input);
  if (fromRunId === undefined) return;
  if (params !== undefined) {
    throw new AppError(
      'bad_request',
      '--from-run-id reuses the parameters of that run. Remove the other parameters, or remove --from-run-id.',
    );
  }
  if (dag === undefined)
    throw new AppError('bad_request', 'Option --from-run-id requires a workflow. Add its name or file.');
}

/** Returns undefined if the user cancelled the prompt. */
async function startRun(
  context: CommandContext,
  host: EngineClient,
  input: StartInput,
): Promise<RunRef | undefined> {
  const { dag, fromRunId } = input;
  const request = toStartRequest(context, input);
  if (dag === undefined) {
    const source = await chooseDag(context, host);
    return (
      source &&
      startWithParams(context, host, request.params, (params) =>
        host.startRun({ ...request, params, source }),
      )
    );
  }
  if (fromRunId === undefined)
    return startWithParams(context, host, request.params, (params) =>
      host.startNamed(dag, { ...request, params }),
    );
  const { name, dagRunId } = await findRun(context, host, { dag, dagRunId: fromRunId });
  return host.startRun({ ...request, source: { run: { name, dagRunId } } });
}

/**
 * Starts or queues a run. If required parameters are missing, asks for them on a terminal and tries again; without a
 * terminal, the error names all of them.
 */
export async function startWithParams(
  context: CommandContext,
  host: Pick<EngineClient, 'api' | 'isRemote'>,
  params: TypedParams,
  start: (params: TypedParams) => Promise<RunRef>,
): Promise<RunRef> {
  const asked = new Set<string>();
  let typed = params;
  for (;;) {
    try {
      const run = await start(typed);
      if (host.isRemote && params !== undefined) await warnAboutUnknown(context, host, run, params);
      return run;
    } catch (error) {
      const { askForMissing } = await import('../prompts.ts');
      typed = await askForMissing(context, error, typed, asked);
    }
  }
}

/** An engine in this process warns by itself, a server only in its log. */
async function warnAboutUnknown(
  { caller, terminal }: CommandContext,
  { api }: Pick<EngineClient, 'api'>,
  { name, dagRunId }: RunRef,
  params: string | readonly string[],
): Promise<void> {
  const passed = typeof params === 'string' ? parseParamText(params) : parseParamTokens(params);
  // The run has started: a problem with this request must not look like one with the start.
  const run = await api.call('runs.get', { name, dagRunId }, caller).catch(() => undefined);
  if (run === undefined) return;
  for (const message of findUnknownParams(run.workflow, passed))
    await terminal.stderr.write(`engine: warning: ${name}: ${message}\n`);
}

function toStartRequest(context: CommandContext, input: StartInput): Omit<StartRequest, 'source'> {
  return {
    trigger: 'cli',
    startedBy: context.caller.name,
    trace: context.caller.trace,
    ...(input.name === undefined ? {} : { name: input.name }),
    ...(input.runId === undefined ? {} : { dagRunId: input.runId }),
    params: readCliParams(input),
    singleton: input.singleton,
    ...(input.disableMaxActiveRuns ? { maxActiveRuns: -1 } : {}),
    defaultWorkingDir: hostFolder(context, input.defaultWorkingDir),
  };
}

/** Prompts for a workflow of the home with a search; undefined if cancelled (Ctrl-C). */
async function chooseDag(context: CommandContext, host: EngineClient): Promise<WorkflowMatch | undefined> {
  const hint = 'Use "engine start FILE|NAME". Run "engine help start" for details.';
  if (!context.terminal.interactive) {
    throw new AppError('bad_request', 'No workflow specified, and no terminal to choose one.', {
      details: { hint },
    });
  }
  const entries = await host.workflows.choices();
  if (entries.length === 0) {
    throw new AppError('not_found', `No workflows in ${host.location}.`, { details: { hint } });
  }
  const { default: search } = await import('@inquirer/search');
  try {
    return await search(
      { message: 'Workflow to start', source: (term) => filterEntries(entries, term ?? '').map(toChoice) },
      { output: process.stderr },
    );
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError') return undefined;
    throw error;
  }
}

/** Returns entries that contain every word of the term in name or description. */
export function filterEntries(entries: readonly WorkflowChoice[], term: string): WorkflowChoice[] {
  const args = term.toLowerCase().split(/\s+/);
  return entries.filter((entry) => {
    const text = `${entry.fileName} ${formatDescription(entry)}`.toLowerCase();
    return args.every((word) => text.includes(word));
  });
}

const toChoice = (entry: WorkflowChoice): { value: WorkflowMatch; name: string; description: string } => ({
  value: entry.source,
  name: entry.fileName,
  description: formatDescription(entry),
});

const formatDescription = ({ description }: WorkflowChoice): string => oneLine(description);
