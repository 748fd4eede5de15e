import { type Command, Option } from 'commander';
import type { DryInput } from '../commands/dry.ts';
import { activeRunStatuses } from '../../model/run.ts';
import { commandNotes } from '../help-texts.ts';
import { runCommand, type ProgramHooks } from '../command-context.ts';
import { collectStatuses, formatOption, nameOption, runOption, wholeNumber, readDag } from '../options.ts';

/** Adds the read-only run commands. */
export function addReadCommands(program: Command, hooks: ProgramHooks): void {
  addValidate(program, hooks);
  addDry(program, hooks);
  addStatus(program, hooks);
  addActiveRuns(program, hooks);
  addHistory(program, hooks);
  addLogs(program, hooks);
  addArtifacts(program, hooks);
  addVersion(program, hooks);
}

function addValidate(program: Command, hooks: ProgramHooks): void {
  const validate = runCommand(hooks, async () => (await import('../commands/validate.ts')).runValidate);
  program
    .command('validate')
    .description('Validate workflow files without running them')
    .argument('<FILE...>', 'YAML files or workflow names')
    .addOption(formatOption())
    .addHelpText('after', commandNotes.validate)
    .action((files: string[], options, command: Command) => validate({ files, ...options }, command));
}

function addDry(program: Command, hooks: ProgramHooks): void {
  const dry = runCommand(hooks, async () => (await import('../commands/dry.ts')).runDry);
  program
    .command('dry')
    .description('Show what a run would do, without running anything')
    .usage('[options] <DAG> [-- params...]')
    .argument('<DAG>', 'YAML file or workflow name')
    .argument('[params...]', 'Parameters after --: NAME=value or positional values')
    .option('-p, --params <text>', 'All parameters in one string (quotes allowed)')
    .addOption(nameOption())
    .option('--run-substitutions', 'Run commands in backticks and use their output', false)
    .option('--default-working-dir <dir>', 'Default working directory for workflows that set none')
    .addOption(formatOption())
    .addHelpText('after', commandNotes.dry)
    .action((_dag, _params, options: Omit<DryInput, 'dag' | 'words'>, command: Command) => {
      const dag = readDag(command, hooks) ?? '';
      return dry({ ...options, dag, words: hooks.words }, command);
    });
}

function addStatus(program: Command, hooks: ProgramHooks): void {
  const status = runCommand(hooks, async () => (await import('../commands/history.ts')).runStatus);
  program
    .command('status')
    .description('Show the status of a run and its steps')
    .argument('<DAG>', 'YAML file or workflow name')
    .addOption(runOption())
    .addOption(formatOption())
    .addHelpText('after', commandNotes.status)
    .action((dag: string, options, command: Command) => status({ dag, ...options }, command));
}

function addActiveRuns(program: Command, hooks: ProgramHooks): void {
  const history = runCommand(hooks, async () => (await import('../commands/history.ts')).runHistory);
  program
    .command('ps')
    .description('List active runs, including queued ones')
    .argument('[DAG]', 'YAML file or workflow name. Default: all workflows.')
    .option('--limit <count>', 'Maximum number of results. Default: 100.', wholeNumber(1, 1_000_000), 100)
    .addOption(formatOption())
    .addHelpText('after', commandNotes.ps)
    .action((dag: string | undefined, options, command: Command) =>
      history({ dag, statuses: activeRunStatuses, tags: [], ...options }, command),
    );
}

function addHistory(program: Command, hooks: ProgramHooks): void {
  const history = runCommand(hooks, async () => (await import('../commands/history.ts')).runHistory);
  program
    .command('history')
    .description('List runs, newest first')
    .argument('[DAG]', 'YAML file or workflow name. Default: all workflows.')
    .addOption(
      new Option('--status <status>', 'Filter by status (comma-separated). Default: all.')
        .argParser(collectStatuses)
        .default([]),
    )
    .addOption(
      new Option('--tag <tag>', 'Filter by workflow tag (repeatable)')
        .argParser((tag: string, before: readonly string[]) => [...before, tag])
        .default([]),
    )
    .option('--from <time>', 'Show runs created at or after this time: 2026-11-20 or ISO 8601')
    .option('--to <time>', 'Show runs created before this time')
    .option('--limit <count>', 'Maximum number of results. Default: 20.', wholeNumber(1, 1_000_000), 20)
    .addOption(formatOption())
    .addHelpText('after', commandNotes.history)
    .action((dag: string | undefined, { status, tag, ...options }, command: Command) =>
      history({ dag, statuses: status, tags: tag, ...options }, command),
    );
}

function addLogs(program: Command, hooks: ProgramHooks): void {
  const logs = runCommand(hooks, async () => (await import('../commands/logs.ts')).runLogs);
  program
    .command('logs')
    .description('Show the logs of a run')
    .argument('<DAG>', 'YAML file or workflow name')
    .argument('[STEP]', 'Step or handler name. Default: all.')
    .addOption(runOption())
    .option('-f, --follow', 'Follow the logs until the run ends', false)
    .addOption(
      new Option('--stream <stream>', 'Output stream: stdout, stderr or both. Default: both.')
        .choices(['stdout', 'stderr', 'both'])
        .default('both'),
    )
    .option(
      '--attempt <number>',
      'Attempt number. Default: latest attempt of a step, all attempts of a run.',
      wholeNumber(1, 1_000_000),
    )
    .option(
      '--item <number>',
      'Item number of a parallel step. Default: the output of the step itself.',
      wholeNumber(1, 1_000_000),
    )
    .addOption(formatOption())
    .addHelpText('after', commandNotes.logs)
    .action((dag: string, step: string | undefined, options, command: Command) =>
      logs({ dag, step, ...options }, command),
    );
}

function addArtifacts(program: Command, hooks: ProgramHooks): void {
  const artifacts = runCommand(hooks, async () => (await import('../commands/artifacts.ts')).runArtifacts);
  program
    .command('artifacts')
    .description('List or download the artifacts of a run')
    .argument('<DAG>', 'YAML file or workflow name')
    .argument('[ARTIFACT...]', 'Artifacts to save. Default: list all.')
    .addOption(runOption())
    .option('--all', 'Save all artifacts', false)
    .option('-d, --dir <folder>', 'Output directory. Default: current directory.', '.')
    .addOption(new Option('--stdout', 'Write a single artifact to stdout').conflicts('all').default(false))
    .addOption(formatOption())
    .addHelpText('after', commandNotes.artifacts)
    .action((dag: string, names: string[], options, command: Command) =>
      artifacts({ dag, names, ...options }, command),
    );
}

function addVersion(program: Command, hooks: ProgramHooks): void {
  const version = runCommand(hooks, async () => (await import('../commands/config.ts')).runVersion);
  program
    .command('version')
    .description('Show the version')
    .addOption(formatOption())
    .action((options, command: Command) => version(options.format, command));
}
