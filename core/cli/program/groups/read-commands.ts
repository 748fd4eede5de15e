import { type Command, Option } from 'commander';
import type { DryInput } from '../../commands/runs/dry.ts';
import { commandNotes } from '../help-texts.ts';
import { collectStatuses, formatOption, nameOption, runOption, wholeNumber } from '../options.ts';
import { carryOut, type ProgramHooks } from '../hooks.ts';
import { readDag } from '../read-dag.ts';

/** Adds the commands that only look. */
export function addReadCommands(program: Command, hooks: ProgramHooks): void {
  addValidate(program, hooks);
  addDry(program, hooks);
  addStatus(program, hooks);
  addHistory(program, hooks);
  addLogs(program, hooks);
  addArtifacts(program, hooks);
  addVersion(program, hooks);
}

function addValidate(program: Command, hooks: ProgramHooks): void {
  const validate = carryOut(
    hooks,
    async () => (await import('../../commands/workflows/validate.ts')).runValidate,
  );
  program
    .command('validate')
    .description('check workflow files without running them')
    .argument('<FILE...>', 'YAML files, or names of workflows of the home')
    .addOption(formatOption())
    .addHelpText('after', commandNotes.validate)
    .action((files: string[], options, command: Command) => validate({ files, ...options }, command));
}

function addDry(program: Command, hooks: ProgramHooks): void {
  const dry = carryOut(hooks, async () => (await import('../../commands/runs/dry.ts')).runDry);
  program
    .command('dry')
    .description('show what a run would do, with its values, and run nothing')
    .usage('[options] <DAG> [-- params...]')
    .argument('<DAG>', 'YAML file, or name of a workflow of the home')
    .argument('[params...]', 'after --: parameters, NAME=value or by place')
    .option('-p, --params <text>', 'all parameters as one text, quotes allowed')
    .addOption(nameOption())
    .option('--run-substitutions', 'run the commands in backticks, for their output', false)
    .option('--default-working-dir <dir>', 'working directory of workflows that name none')
    .addOption(formatOption())
    .addHelpText('after', commandNotes.dry)
    .action((_dag, _params, options: Omit<DryInput, 'dag' | 'words'>, command: Command) => {
      const dag = readDag(command, hooks) ?? '';
      return dry({ ...options, dag, words: hooks.words }, command);
    });
}

function addStatus(program: Command, hooks: ProgramHooks): void {
  const status = carryOut(hooks, async () => (await import('../../commands/runs/status.ts')).runStatus);
  program
    .command('status')
    .description('show a run and its steps')
    .argument('<DAG>', 'YAML file, or name of a workflow')
    .addOption(runOption())
    .addOption(formatOption())
    .addHelpText('after', commandNotes.status)
    .action((dag: string, options, command: Command) => status({ dag, ...options }, command));
}

function addHistory(program: Command, hooks: ProgramHooks): void {
  const history = carryOut(hooks, async () => (await import('../../commands/runs/history.ts')).runHistory);
  program
    .command('history')
    .description('list runs, newest first')
    .argument('[DAG]', 'YAML file, or name of a workflow (default: all)')
    .addOption(
      new Option('--status <status>', 'only these, separated by commas (default: all)')
        .argParser(collectStatuses)
        .default([]),
    )
    .addOption(
      new Option('--tag <tag>', 'only runs of workflows with this tag, also several times')
        .argParser((tag: string, before: readonly string[]) => [...before, tag])
        .default([]),
    )
    .option('--from <time>', 'only runs created then or later: 2026-11-20, or a time in ISO 8601')
    .option('--to <time>', 'only runs created before')
    .option('--limit <count>', 'how many at most (default: 20)', wholeNumber(1, 1_000_000), 20)
    .addOption(formatOption())
    .addHelpText('after', commandNotes.history)
    .action((dag: string | undefined, { status, tag, ...options }, command: Command) =>
      history({ dag, statuses: status, tags: tag, ...options }, command),
    );
}

function addLogs(program: Command, hooks: ProgramHooks): void {
  const logs = carryOut(hooks, async () => (await import('../../commands/runs/logs.ts')).runLogs);
  program
    .command('logs')
    .description('show what the steps of a run have written')
    .argument('<DAG>', 'YAML file, or name of a workflow')
    .argument('[STEP]', 'only this step or handler (default: all)')
    .addOption(runOption())
    .option('-f, --follow', 'go on until the run ends', false)
    .addOption(
      new Option('--stream <stream>', 'stdout, stderr or both (default)')
        .choices(['stdout', 'stderr', 'both'])
        .default('both'),
    )
    .option(
      '--attempt <number>',
      'only this attempt (default: the newest of a step, all of a run)',
      wholeNumber(1, 1_000_000),
    )
    .option(
      '--item <number>',
      'only this item of a step with parallel (default: what the step itself says)',
      wholeNumber(1, 1_000_000),
    )
    .addOption(formatOption())
    .addHelpText('after', commandNotes.logs)
    .action((dag: string, step: string | undefined, options, command: Command) =>
      logs({ dag, step, ...options }, command),
    );
}

function addArtifacts(program: Command, hooks: ProgramHooks): void {
  const artifacts = carryOut(
    hooks,
    async () => (await import('../../commands/runs/artifacts.ts')).runArtifacts,
  );
  program
    .command('artifacts')
    .description('list the files that the steps of a run have kept, or save them')
    .argument('<DAG>', 'YAML file, or name of a workflow')
    .argument('[ARTIFACT...]', 'save these (default: list all)')
    .addOption(runOption())
    .option('--all', 'save all of them', false)
    .option('-d, --dir <folder>', 'where to save them, each under its name (default: here)', '.')
    .addOption(
      new Option('--stdout', 'write the bytes of one to stdout instead').conflicts('all').default(false),
    )
    .addOption(formatOption())
    .addHelpText('after', commandNotes.artifacts)
    .action((dag: string, names: string[], options, command: Command) =>
      artifacts({ dag, names, ...options }, command),
    );
}

function addVersion(program: Command, hooks: ProgramHooks): void {
  const version = carryOut(hooks, async () => (await import('../../commands/version.ts')).runVersion);
  program
    .command('version')
    .description('show the version')
    .addOption(formatOption())
    .action((options, command: Command) => version(options.format, command));
}
