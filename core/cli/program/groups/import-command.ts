import { Argument, type Command } from 'commander';
import { AppError } from '../../../base/errors.ts';
import type { ImportInput } from '../../commands/workflows/import.ts';
import { runCommand, type ProgramHooks } from '../hooks.ts';
import { formatOption, nameOption } from '../options.ts';

const notes = `
Examples:
  crontab -l | engine import crontab             one workflow per job
  engine import crontab /etc/crontab --system    lines with a user column
  engine import crontab jobs.txt --dry-run       print the workflows without creating them
  engine import script load.sh --split           one step per section of the script
  engine import makefile Makefile --target all

Lines that are not valid jobs are skipped and reported. Exit code: 1 if a workflow could not be created.`;

/** Adds `import`, which creates workflows from crontabs, scripts and makefiles. */
export function addImportCommand(program: Command, hooks: ProgramHooks): void {
  const run = runCommand(hooks, async () => (await import('../../commands/workflows/import.ts')).runImport);
  program
    .command('import')
    .description('Create workflows from a crontab, shell script or makefile')
    .addArgument(new Argument('<KIND>', 'Type of the input file').choices(['crontab', 'script', 'makefile']))
    .argument('[FILE]', 'Input file, or - for standard input. Default: -.', '-')
    .option('--system', 'crontab: lines have a user column, as in /etc/crontab. Default: detect.')
    .option('--user', 'crontab: lines have no user column, as in crontab -l')
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

const kindOfOption = { system: 'crontab', user: 'crontab', split: 'script', target: 'makefile' } as const;

function assertOptionsMatchKind(kind: ImportInput['kind'], options: Readonly<Record<string, unknown>>): void {
  for (const [option, belongsTo] of Object.entries(kindOfOption))
    if (options[option] !== undefined && kind !== belongsTo)
      throw new AppError('bad_request', `Option --${option} is only valid for "engine import ${belongsTo}".`);
  if (options['system'] === true && options['user'] === true)
    throw new AppError('bad_request', 'Options --system and --user cannot be used together.');
}
