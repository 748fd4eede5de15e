import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Decision } from '../../../model/run/approval.ts';
import { commandNotes } from '../help-texts.ts';
import { carryOut, type ProgramHooks } from '../hooks.ts';
import { formatOption, runOption, wholeNumber } from '../options.ts';

/** Adds the commands about what steps ask people. */
export function addApprovalCommands(program: Command, hooks: ProgramHooks): void {
  addApprovals(program, hooks);
  addAnswer(program, hooks, 'approve', 'approved');
  addAnswer(program, hooks, 'reject', 'rejected');
}

function addApprovals(program: Command, hooks: ProgramHooks): void {
  const approvals = carryOut(
    hooks,
    async () => (await import('../../commands/runs/approvals.ts')).runApprovals,
  );
  program
    .command('approvals')
    .description('list the steps that wait for the answer of a person')
    .argument('[DAG]', 'YAML file, or name of a workflow (default: all)')
    .option('--all', 'what was answered and what has ended, too', false)
    .option('--limit <count>', 'how many at most (default: 100)', wholeNumber(1, 1_000_000), 100)
    .addOption(formatOption())
    .addHelpText('after', commandNotes.approvals)
    .action((dag: string | undefined, options, command: Command) => approvals({ dag, ...options }, command));
}

function addAnswer(
  program: Command,
  hooks: ProgramHooks,
  verb: 'approve' | 'reject',
  decision: Decision,
): void {
  const answer = carryOut(hooks, async () => (await import('../../commands/runs/answer.ts')).runAnswer);
  const command = program
    .command(verb)
    .description(`${verb} what a step asks, so that its run goes on`)
    .argument('<DAG>', 'YAML file, or name of a workflow')
    .argument('[STEP]', 'which step or handler (default: the only one that waits)')
    .addOption(runOption('which run (default: the only one that waits)'))
    .option('--comment <text>', 'why, in words; kept with the answer');
  if (decision === 'approved') command.addOption(inputOption());
  command
    .addOption(formatOption())
    .addHelpText('after', commandNotes[verb])
    .action((dag: string, step: string | undefined, options, self: Command) =>
      answer({ dag, step, decision, ...options }, self),
    );
}

const inputOption = (): Option =>
  new Option('--input <name=value>', 'a text that the question asks for, also several times').argParser(
    (text: string, before: Readonly<Record<string, string>> | undefined) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
      if (name === undefined || value === undefined)
        throw new InvalidArgumentError('An input is NAME=value.');
      return { ...before, [name]: value };
    },
  );
