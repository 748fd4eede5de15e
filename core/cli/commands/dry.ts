import type { DryRunner } from '../../api/engine-api.ts';
import { exitCodes } from '../../base/error-codes.ts';
import {
  type CommandContext,
  type OutputFormat,
  printJson,
  printLines,
  withHost,
  findHomePaths,
} from '../command-context.ts';
import { readCliParams, type CliParams } from '../arguments.ts';
import { type WorkflowFinder, hostFolder } from '../host/engine-client.ts';
import { localWorkflows } from '../host/local-engine.ts';
import { dryRunLines } from '../dry-run-report.ts';

export interface DryInput extends CliParams {
  readonly dag: string;
  readonly name?: string;
  readonly runSubstitutions: boolean;
  readonly defaultWorkingDir?: string;
  readonly format: OutputFormat;
}

/** Prints what a run would do without running it or changing the home. Exit code 1 if it would fail. */
export async function runDry(context: CommandContext, input: DryInput): Promise<number> {
  if (context.server !== undefined) {
    const { dryRunOnServer } = await import('../host/server-requests.ts');
    return withHost(context, ({ api, workflows }) =>
      showDryRun(context, input, {
        workflows,
        dryRun: async (request) => dryRunOnServer(api, request, context.caller),
      }),
    );
  }
  const { openDryRuns } = await import('../../open-dry-runs.ts');
  const { home, clock, cwd, configFile } = context;
  const { dags } = await findHomePaths(context);
  const dryRun = openDryRuns({ home, clock, configFile });
  return showDryRun(context, input, { workflows: localWorkflows({ cwd, dags }), dryRun });
}

async function showDryRun(
  context: CommandContext,
  input: DryInput,
  { workflows, dryRun }: { readonly workflows: WorkflowFinder; readonly dryRun: DryRunner },
): Promise<number> {
  const { name, runSubstitutions, defaultWorkingDir, format } = input;
  const params = readCliParams(input);
  const view = await dryRun({
    source: await workflows.find(input.dag),
    params,
    name,
    runSubstitutions,
    defaultWorkingDir: hostFolder(context, defaultWorkingDir),
  });
  if (format === 'json') await printJson(context, view);
  else await printLines(context, dryRunLines(context.terminal.stdout, view));
  return view.runnable ? exitCodes.success : exitCodes.runFailed;
}
