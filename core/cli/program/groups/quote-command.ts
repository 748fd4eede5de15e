import type { Command } from 'commander';
import { runCommand, type ProgramHooks } from '../hooks.ts';
import { formatOption } from '../options.ts';

const notes = `
Examples:
  engine quote
  engine quote --name Ada
  engine quote --name "the build server" --format json | jq .nlp_attributes`;

/** Adds the quote command. */
export function addQuoteCommand(program: Command, hooks: ProgramHooks): void {
  const quote = runCommand(hooks, async () => (await import('../../commands/quote.ts')).runQuote);
  program
    .command('quote')
    .description('Print a quote about the Dispatcher')
    .option('-N, --name <name>', 'Name to use in the quote')
    .addOption(formatOption())
    .addHelpText('after', notes)
    .action((options, command: Command) => quote(options, command));
}
