import { Option, type Command, Argument } from 'commander';
import { AppError } from '../../base/errors.ts';
import { commandNotes } from '../help-texts.ts';
import { runCommand, type ProgramHooks } from '../command-context.ts';
import { durationArgument, formatOption, nameOption } from '../options.ts';
import type { ImportInput } from '../commands/import.ts';
import type { SchemaInput } from '../commands/workflows.ts';

/** Adds the workflow commands. */
export function addWorkflowCommands(program: Command, hooks: ProgramHooks): void {
  const dags = runCommand(hooks, async () => (await import('../commands/workflows.ts')).runDags);
  program
    .command('dags')
    .description('List workflows and their next scheduled runs')
    .option('--name <text>', 'Filter by text in the name')
    .addOption(
      new Option('--tag <tag>', 'Filter by tag (repeatable)')
        .argParser((tag: string, before: readonly string[]) => [...before, tag])
        .default([]),
    )
    .addOption(
      new Option('--sort <by>', 'Sort by name or nextRun (earliest first). Default: name.')
        .choices(['name', 'nextRun'])
        .default('name'),
    )
    .addOption(formatOption())
    .addHelpText('after', commandNotes.dags)
    .action(({ tag, ...options }, command: Command) => dags({ tags: tag, ...options }, command));
  addSuspend(program, hooks, 'suspend', 'Pause a schedule (manual runs still work)');
  addSuspend(program, hooks, 'resume', 'Resume a schedule');
  addOrganize(program, hooks);
}

function addOrganize(program: Command, hooks: ProgramHooks): void {
  const load = async () => import('../commands/workflows.ts');
  const rename = runCommand(hooks, async () => (await load()).runRename);
  const duplicate = runCommand(hooks, async () => (await load()).runDuplicate);
  const remove = runCommand(hooks, async () => (await load()).runDelete);
  program
    .command('rename')
    .description('Rename a workflow and the steps that run it')
    .argument('<DAG>', 'Workflow name')
    .argument('<NAME>', 'New name')
    .option('--keep-references', 'Do not change other workflows')
    .addOption(formatOption())
    .addHelpText('after', commandNotes.rename)
    .action((dag: string, newName: string, { keepReferences = false, ...options }, command: Command) =>
      rename({ dag, newName, keepReferences, ...options }, command),
    );
  program
    .command('duplicate')
    .description('Copy a workflow; the schedule of the copy is suspended')
    .argument('<DAG>', 'Workflow name')
    .argument('<NAME>', 'Name of the copy')
    .addOption(formatOption())
    .addHelpText('after', commandNotes.duplicate)
    .action((dag: string, newName: string, options, command: Command) =>
      duplicate({ dag, newName, ...options }, command),
    );
  program
    .command('delete')
    .description('Delete a workflow; versions stay')
    .argument('<DAG>', 'Workflow name')
    .option('--runs', 'Delete its runs and logs, too')
    .option('--stop-runs', 'Stop active and queued runs. Default: fail if there are any.')
    .option('--yes', 'Do not ask for confirmation')
    .addOption(formatOption())
    .addHelpText('after', commandNotes.delete)
    .action((dag: string, { runs = false, stopRuns = false, yes = false, ...options }, command: Command) =>
      remove({ dag, runs, stopRuns, yes, ...options }, command),
    );
}

function addSuspend(
  program: Command,
  hooks: ProgramHooks,
  name: 'suspend' | 'resume',
  description: string,
): void {
  const change = runCommand(hooks, async () => (await import('../commands/workflows.ts')).runSuspend);
  const changeAll = runCommand(
    hooks,
    async () => (await import('../commands/workflows.ts')).runPauseSchedules,
  );
  const suspend = name === 'suspend';
  const added = program
    .command(name)
    .description(description)
    .argument('[DAG]', 'Workflow name')
    .option('--all', suspend ? 'Pause all schedules of the home' : 'Resume all schedules of the home');
  if (suspend)
    added.addOption(
      new Option('--for <duration>', 'With --all: pause duration, such as 30m, 8h or 2d').argParser(
        (text: string) => durationArgument(text) * 1000,
      ),
    );
  added
    .addOption(formatOption())
    .addHelpText('after', commandNotes[name])
    .action((dag: string | undefined, { all, for: forMs, ...options }, command: Command) => {
      if (all === true && dag === undefined) return changeAll({ suspend, forMs, ...options }, command);
      if (all === true || dag === undefined || forMs !== undefined)
        throw new AppError(
          'bad_request',
          `Specify a workflow, or use --all${suspend ? ' (--for requires --all)' : ''}.`,
        );
      return change({ dag, suspend, ...options }, command);
    });
}

const notes = `
Examples:
  crontab -l | engine import crontab             one workflow per job
  engine import crontab /etc/crontab --system    lines with a user column
  engine import crontab jobs.txt --spread        jobs of the same minute start one after the other
  engine import crontab jobs.txt --dry-run       print the workflows without creating them
  engine import script load.sh --split           one step per section of the script
  engine import makefile Makefile --target all

Lines that are not valid jobs are skipped and reported. Exit code: 1 if a workflow could not be created.`;

/** Adds `import`, which creates workflows from crontabs, scripts and makefiles. */
export function addImportCommand(program: Command, hooks: ProgramHooks): void {
  const run = runCommand(hooks, async () => (await import('../commands/import.ts')).runImport);
  program
    .command('import')
    .description('Create workflows from a crontab, shell script or makefile')
    .addArgument(new Argument('<KIND>', 'Type of the input file').choices(['crontab', 'script', 'makefile']))
    .argument('[FILE]', 'Input file, or - for standard input. Default: -.', '-')
    .option('--system', 'crontab: lines have a user column, as in /etc/crontab. Default: detect.')
    .option('--user', 'crontab: lines have no user column, as in crontab -l')
    .option('--spread', 'crontab: start jobs of the same minute one minute apart')
    .option('--split', 'script: create a step for each commented section')
    .option('--target <target>', 'makefile: target to build. Default: the first target.')
    .addOption(nameOption('Workflow name (only for a single workflow)'))
    .option('--dry-run', 'Print the workflows without creating them', false)
    .addOption(formatOption())
    .addHelpText('after', notes)
    .action((kind: ImportInput['kind'], file: string, { user, ...options }, command: Command) => {
      assertOptionsMatchKind(kind, { user, ...options });
      return run(
        { ...options, kind, file, system: options.system ?? (user === true ? false : undefined) },
        command,
      );
    });
}

const kindByOption = {
  system: 'crontab',
  user: 'crontab',
  spread: 'crontab',
  split: 'script',
  target: 'makefile',
} as const;

function assertOptionsMatchKind(kind: ImportInput['kind'], options: Readonly<Record<string, unknown>>): void {
  for (const [option, belongsTo] of Object.entries(kindByOption))
    if (options[option] !== undefined && kind !== belongsTo)
      throw new AppError('bad_request', `Option --${option} is only valid for "engine import ${belongsTo}".`);
  if (options['system'] === true && options['user'] === true)
    throw new AppError('bad_request', 'Options --system and --user cannot be used together.');
}

const schemaNotes = `
Examples:
  engine schema --output workflow.schema.json
  engine schema base --output base.schema.json

Use the schema for completion, hover help and validation in your editor: docs/editor.md.`;

/** Adds the schema command. */
export function addSchemaCommand(program: Command, hooks: ProgramHooks): void {
  const schema = runCommand(hooks, async () => (await import('../commands/workflows.ts')).runSchema);
  program
    .command('schema')
    .description('Print the JSON Schema of workflow files, for editors')
    .addArgument(
      new Argument('[KIND]', 'Schema to print: workflow, or base for base.yaml')
        .choices(['workflow', 'base'])
        .default('workflow'),
    )
    .option('-o, --output <file>', 'Output file. Default: stdout.')
    .addHelpText('after', schemaNotes)
    .action((kind: SchemaInput['kind'], options: Omit<SchemaInput, 'kind'>, command: Command) =>
      schema({ kind, ...options }, command),
    );
}
