import path from 'node:path';
import { exitCodes } from '../../base/error-codes.ts';
import { type CommandContext, type OutputFormat, printJson, printLines } from '../command-context.ts';
import { findDag } from '../find-dag.ts';
import { givenParams, type WrittenParams } from '../given-params.ts';
import { dryRunLines } from '../report/dry/dry-run-lines.ts';

export interface DryInput extends WrittenParams {
  readonly dag: string;
  readonly name?: string;
  readonly runSubstitutions: boolean;
  readonly defaultWorkingDir?: string;
  readonly format: OutputFormat;
}

/** Shows what a run would do, without doing it; the home is only read. Exit code 1 when it would fail. */
export async function runDry(context: CommandContext, input: DryInput): Promise<number> {
  const { name, runSubstitutions, defaultWorkingDir, format } = input;
  const params = givenParams(input);
  const file = findDag(input.dag, context);
  const { openDryRuns } = await import('../../engine.ts');
  const dryRun = openDryRuns({ home: context.home, clock: context.clock });
  const view = await dryRun({
    source: { file },
    params,
    name,
    runSubstitutions,
    ...(defaultWorkingDir !== undefined && {
      defaultWorkingDir: path.resolve(context.cwd, defaultWorkingDir),
    }),
  });
  if (format === 'json') await printJson(context, view);
  else await printLines(context, dryRunLines(context.terminal.stdout, view));
  return view.runnable ? exitCodes.success : exitCodes.runFailed;
}
