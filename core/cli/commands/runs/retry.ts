import { AppError } from '../../../base/errors.ts';
import { exitCodes } from '../../../base/error-codes.ts';
import { latestRunId } from '../../../base/ids.ts';
import type { RerunPlanView } from '../../../contract/runs/reruns.ts';
import {
  type CommandContext,
  type OutputFormat,
  printJson,
  printLines,
  withHost,
} from '../../command-context.ts';
import { findRun } from '../../arguments/find-run.ts';
import { describePlan } from '../../report/rerun-plan.ts';
import { watchRun } from '../../start/drive-run.ts';

export interface RetryInput {
  /** Optional if `name` is set. */
  readonly dag?: string;
  /** Run name, if it differs from the workflow name. */
  readonly name?: string;
  /** Default: the newest run. */
  readonly runId?: string;
  /** Start with this step. */
  readonly step?: string;
  /** With `step`: include dependent steps. */
  readonly downstream: boolean;
  /** Only show what would run again. */
  readonly dryRun: boolean;
  readonly format: OutputFormat;
  readonly quiet: boolean;
}

/** Retries a finished run after showing which steps run again. The exit code is that of a start. */
export async function runRetry(context: CommandContext, input: RetryInput): Promise<number> {
  if (input.downstream && input.step === undefined)
    throw new AppError('bad_request', 'Option --downstream requires --step NAME.');
  const dag = input.name ?? input.dag;
  if (dag === undefined) {
    throw new AppError('bad_request', 'No workflow specified.', {
      details: {
        hint: 'Use "engine retry DAG", or "engine retry --name NAME" for runs started with --name.',
      },
    });
  }
  return withHost(context, async (host) => {
    const { api } = host;
    const run =
      input.name === undefined
        ? await findRun(context, host, { dag, dagRunId: input.runId })
        : await api.call('runs.get', { name: dag, dagRunId: input.runId ?? latestRunId }, context.caller);
    const { name, dagRunId } = run;
    const options = { name, dagRunId, stepName: input.step, downstream: input.downstream };
    const plan = await api.call('runs.retryPlan', options, context.caller);
    if (input.dryRun) return showPlan(context, { name, dagRunId, plan }, input);
    if (!input.quiet) await printPlan(context, plan);
    await api.call('runs.retry', options, context.caller);
    const keptSteps = plan.steps.filter(({ action }) => action === 'keep').map((step) => step.name);
    const { format, quiet } = input;
    return watchRun(
      context,
      host,
      { name, dagRunId },
      {
        format,
        quiet,
        before: { run, kept: new Set(keptSteps) },
        note: { plan },
      },
    );
  });
}

async function showPlan(
  context: CommandContext,
  response: { readonly name: string; readonly dagRunId: string; readonly plan: RerunPlanView },
  { format }: RetryInput,
): Promise<number> {
  if (format === 'json') await printJson(context, response);
  else await printLines(context, describePlan(response.plan, context.terminal.stdout));
  return exitCodes.success;
}

async function printPlan(context: CommandContext, plan: RerunPlanView): Promise<void> {
  const { stderr } = context.terminal;
  await stderr.write(`${describePlan(plan, stderr).join('\n')}\n\n`);
}
