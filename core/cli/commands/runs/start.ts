import type { RunSource, StartRequest } from '../../../api/engine-host.ts';
import { AppError } from '../../../base/errors.ts';
import { exitCodes } from '../../../base/error-codes.ts';
import { type CommandContext, type OutputFormat, withHost } from '../../command-context.ts';
import { findRun } from '../../arguments/find-run.ts';
import { givenParams, type WrittenParams } from '../../arguments/given-params.ts';
import type { HostApi } from '../../host/host-api.ts';
import { hostFolder } from '../../host/host-folder.ts';
import { chooseDag } from '../../start/choose-dag.ts';
import { driveRun } from '../../start/drive-run.ts';

export interface StartInput extends WrittenParams {
  /** A person chooses when absent. */
  readonly dag?: string;
  readonly name?: string;
  readonly runId?: string;
  /** Take workflow and parameters from this run. */
  readonly fromRunId?: string;
  readonly defaultWorkingDir?: string;
  readonly singleton: boolean;
  readonly format: OutputFormat;
  readonly quiet: boolean;
}

/** Runs a workflow to its end and tells how it went; the exit code says it too. */
export async function runStart(context: CommandContext, input: StartInput): Promise<number> {
  refuseContradictions(input);
  return withHost(context, async (host) => {
    const source = await findSource(context, host, input);
    if (source === undefined) return exitCodes.interrupted;
    const run = await host.startRun(toStartRequest(context, input, source));
    return driveRun(context, host, run, input);
  });
}

function refuseContradictions(input: StartInput): void {
  const { dag, fromRunId } = input;
  const params = givenParams(input);
  if (fromRunId === undefined) return;
  if (params !== undefined) {
    throw new AppError(
      'bad_request',
      '--from-run-id takes the parameters of that run; leave other parameters out, or leave out --from-run-id',
    );
  }
  if (dag === undefined)
    throw new AppError('bad_request', '--from-run-id needs the workflow whose run it is: name the DAG');
}

/** Nothing when the person who was asked to choose turned away. */
async function findSource(
  context: CommandContext,
  host: HostApi,
  { dag, fromRunId }: StartInput,
): Promise<RunSource | undefined> {
  if (dag !== undefined && fromRunId !== undefined) {
    const { name, dagRunId } = await findRun(context, host, { dag, dagRunId: fromRunId });
    return { run: { name, dagRunId } };
  }
  return dag === undefined ? chooseDag(context, host) : host.workflows.find(dag);
}

function toStartRequest(context: CommandContext, input: StartInput, source: RunSource): StartRequest {
  return {
    source,
    trigger: 'cli',
    startedBy: context.caller.name,
    trace: context.caller.trace,
    ...(input.name === undefined ? {} : { name: input.name }),
    ...(input.runId === undefined ? {} : { dagRunId: input.runId }),
    params: givenParams(input),
    singleton: input.singleton,
    defaultWorkingDir: hostFolder(context, input.defaultWorkingDir),
  };
}
