import { Argument, type Command } from 'commander';
import { AppError } from '../../../base/errors.ts';
import type { ImportInput } from '../../commands/workflows/import.ts';
import { carryOut, type ProgramHooks } from '../hooks.ts';
import { formatOption, nameOption } from '../options.ts';

const notes = `
Examples:
  crontab -l | engine import crontab             a workflow for each job
  engine import crontab /etc/crontab --system    lines that name a user
  engine import crontab jobs.txt --dry-run       show the workflows, create nothing
  engine import script load.sh --split           a step for each section of the script
  engine import makefile Makefile --target all

Lines that are not valid jobs are left out and named. Exit code: 1 when a workflow could not be created.`;

/** Adds the command that makes workflows of crontabs, scripts and makefiles. */
export function addImportCommand(program: Command, hooks: ProgramHooks): void {
  const run = carryOut(hooks, async () => (await import('../../commands/workflows/import.ts')).runImport);
  program
    .command('import')
    .description('create workflows from a crontab, a shell script or a makefile')
    .addArgument(new Argument('<KIND>', 'what to import').choices(['crontab', 'script', 'makefile']))
    .argument('[FILE]', 'file to read (default: -, the standard input)', '-')
    .option('--system', 'crontab: lines name a user, as in /etc/crontab (default: detected)')
    .option('--user', 'crontab: lines name no user, as in crontab -l')
    .option('--split', 'script: a step for each section under a comment')
    .option('--target <target>', 'makefile: what to make (default: its first target)')
    .addOption(nameOption('name of the workflow, where there is only one'))
    .option('--dry-run', 'show the workflows and create nothing', false)
    .addOption(formatOption())
    .addHelpText('after', notes)
    .action((kind: ImportInput['kind'], file: string, { user, ...options }, command: Command) => {
      refuseStrays(kind, { user, ...options });
      return run(
        { ...options, kind, file, system: options.system ?? (user === true ? false : undefined) },
        command,
      );
    });
}

const kindOfOption = { system: 'crontab', user: 'crontab', split: 'script', target: 'makefile' } as const;

function refuseStrays(kind: ImportInput['kind'], options: Readonly<Record<string, unknown>>): void {
  for (const [option, belongsTo] of Object.entries(kindOfOption))
    if (options[option] !== undefined && kind !== belongsTo)
      throw new AppError('bad_request', `--${option} belongs to "engine import ${belongsTo}"`);
  if (options['system'] === true && options['user'] === true)
    throw new AppError('bad_request', '--system and --user exclude each other; keep one of them');
}
