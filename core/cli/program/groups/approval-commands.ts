import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Decision } from '../../../model/run/approval.ts';
import { commandNotes } from '../help-texts.ts';
import { runCommand, type ProgramHooks } from '../hooks.ts';
import { formatOption, runOption, wholeNumber } from '../options.ts';

/** Adds the commands for approvals. */
export function addApprovalCommands(program: Command, hooks: ProgramHooks): void {
  addApprovals(program, hooks);
  addAnswer(program, hooks, 'approve', 'approved');
  addAnswer(program, hooks, 'reject', 'rejected');
}

function addApprovals(program: Command, hooks: ProgramHooks): void {
  const approvals = runCommand(
    hooks,
    async () => (await import('../../commands/runs/approvals.ts')).runApprovals,
  );
  program
    .command('approvals')
    .description('List steps waiting for approval')
    .argument('[DAG]', 'YAML file or workflow name. Default: all workflows.')
    .option('--all', 'Include answered and expired requests', false)
    .option('--limit <count>', 'Maximum number of results. Default: 100.', wholeNumber(1, 1_000_000), 100)
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
  const answer = runCommand(hooks, async () => (await import('../../commands/runs/answer.ts')).runAnswer);
  const command = program
    .command(verb)
    .description(`${verb === 'approve' ? 'Approve' : 'Reject'} a step that is waiting for approval`)
    .argument('<DAG>', 'YAML file or workflow name')
    .argument('[STEP]', 'Step or handler. Default: the only one waiting.')
    .addOption(runOption('Run id. Default: the only run waiting.'))
    .option('--comment <text>', 'Comment stored with the decision');
  if (decision === 'approved') command.addOption(inputOption());
  command
    .addOption(formatOption())
    .addHelpText('after', commandNotes[verb])
    .action((dag: string, step: string | undefined, options, self: Command) =>
      answer({ dag, step, decision, ...options }, self),
    );
}

const inputOption = (): Option =>
  new Option('--input <name=value>', 'Value for an input of the approval (repeatable)').argParser(
    (text: string, before: Readonly<Record<string, string>> | undefined) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
      if (name === undefined || value === undefined) throw new InvalidArgumentError('Expected NAME=value.');
      return { ...before, [name]: value };
    },
  );
