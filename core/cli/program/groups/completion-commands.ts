import { Argument, type Command } from 'commander';
import { completionShells, type CompletionShell } from '../../completion/scripts.ts';
import { commandNotes } from '../help-texts.ts';
import { runCommand, type GlobalOptions, type ProgramHooks } from '../hooks.ts';

/** Adds `completion`, and the command that completion scripts call. */
export function addCompletionCommands(program: Command, hooks: ProgramHooks): void {
  const completion = runCommand(
    hooks,
    async () => (await import('../../commands/completion.ts')).runCompletion,
  );
  program
    .command('completion')
    .description('Print a shell completion script')
    .addArgument(new Argument('<SHELL>', 'Shell type').choices([...completionShells]))
    .addHelpText('after', commandNotes.completion)
    .action((shell: CompletionShell, _options, command: Command) => completion(shell, command));
  program
    .command('__complete', { hidden: true })
    .argument('[words...]', 'Words of the command line so far')
    .action(async () => {
      const { listCandidates, readTypedLine } = await import('../../completion/candidates.ts');
      const { runComplete } = await import('../../commands/complete.ts');
      const line = readTypedLine(program, hooks.words);
      const candidates = listCandidates(program, line);
      const globals: GlobalOptions = line.globals;
      hooks.setExitCode(await runComplete(hooks.contextFor(globals), { line, candidates }));
    });
}
