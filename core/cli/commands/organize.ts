import { exitCodes } from '../../base/error-codes.ts';
import { pluralize } from '../../base/text.ts';
import {
  type CommandContext,
  type OutputFormat,
  printJson,
  printLines,
  withHost,
} from '../command-context.ts';
import { confirm } from '../confirm.ts';

export interface RenameInput {
  readonly dag: string;
  readonly newName: string;
  readonly keepReferences: boolean;
  readonly format: OutputFormat;
}

/** Renames a workflow file, its `name` and the steps of other workflows that run it. */
export function runRename(context: CommandContext, input: RenameInput): Promise<number> {
  const { dag, newName, keepReferences, format } = input;
  return withHost(context, async ({ api, workflows }) => {
    const fileName = await workflows.findInFolder(dag);
    const renamed = await api.call(
      'dags.rename',
      { fileName, newFileName: newName, updateName: true, updateReferences: !keepReferences },
      context.caller,
    );
    if (format === 'json') await printJson(context, renamed);
    else
      await printLines(context, [
        `Renamed ${fileName} to ${renamed.fileName}.`,
        ...renamed.references.map((each) =>
          each.error === undefined
            ? `Updated ${each.fileName}: ${each.steps.join(', ')}`
            : `Not updated: ${each.fileName}. ${each.error}`,
        ),
      ]);
    return renamed.references.some(({ error }) => error !== undefined)
      ? exitCodes.runFailed
      : exitCodes.success;
  });
}

export interface DuplicateInput {
  readonly dag: string;
  readonly newName: string;
  readonly format: OutputFormat;
}

/** Copies a workflow file. */
export function runDuplicate(
  context: CommandContext,
  { dag, newName, format }: DuplicateInput,
): Promise<number> {
  return withHost(context, async ({ api, workflows }) => {
    const fileName = await workflows.findInFolder(dag);
    const copy = await api.call('dags.duplicate', { fileName, newFileName: newName }, context.caller);
    if (format === 'json') await printJson(context, copy);
    else
      await printLines(context, [
        `Created ${copy.fileName}.${copy.suspended ? ` Its schedule is suspended: engine resume ${copy.fileName}` : ''}`,
      ]);
    return exitCodes.success;
  });
}

export interface DeleteInput {
  readonly dag: string;
  readonly runs: boolean;
  readonly stopRuns: boolean;
  readonly yes: boolean;
  readonly format: OutputFormat;
}

/** Deletes a workflow file, on request with its runs, after confirmation. */
export function runDelete(context: CommandContext, input: DeleteInput): Promise<number> {
  const { dag, runs, stopRuns, yes, format } = input;
  return withHost(context, async ({ api, workflows }) => {
    const fileName = await workflows.findInFolder(dag);
    const question = `Delete workflow ${fileName}${runs ? ' with its runs and logs' : ''}`;
    if (!yes && !(await confirm(context, question, 'Add --yes to confirm.'))) {
      await context.terminal.stderr.write('Nothing was deleted.\n');
      return exitCodes.success;
    }
    const deleted = await api.call('dags.delete', { fileName, stopRuns }, context.caller);
    const { removed, errors } = runs
      ? await api.call('runs.deleteAll', { name: deleted.name }, context.caller)
      : { removed: 0, errors: [] };
    if (format === 'json') await printJson(context, { ...deleted, removed, errors });
    else
      await printLines(context, [
        `Deleted ${fileName}${runs ? ` and ${pluralize(removed, 'run')}` : ''}.`,
        ...errors.map((error) => `Not deleted: ${error}`),
      ]);
    return errors.length > 0 ? exitCodes.runFailed : exitCodes.success;
  });
}
