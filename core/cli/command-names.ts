import type { Command } from 'commander';
import { findNearest } from '../base/text.ts';

/** Commands by module. */
export const commandsByModule = {
  run: ['start', 'retry', 'restart', 'stop', 'recover', 'note'],
  exec: ['exec'],
  server: ['server', 'start-all', 'scheduler'],
  service: ['service'],
  approval: ['approvals', 'approve', 'reject'],
  queue: ['enqueue', 'dequeue', 'queues'],
  read: ['validate', 'dry', 'status', 'ps', 'history', 'logs', 'artifacts', 'version'],
  workflow: ['dags', 'suspend', 'resume', 'rename', 'duplicate', 'delete'],
  import: ['import'],
  maintenance: ['cleanup', 'backup', 'restore', 'check', 'salvage', 'migrate'],
  db: ['db'],
  account: ['users', 'tokens', 'auth'],
  secrets: ['secrets'],
  webhook: ['webhooks'],
  ping: ['pings'],
  notify: ['notify'],
  gateway: ['gateway'],
  coordinator: ['coordinator'],
  workers: ['workers'],
  worker: ['worker'],
  config: ['config'],
  schema: ['schema'],
  quote: ['quote'],
  completion: ['completion', '__complete'],
  help: ['help'],
} as const satisfies Record<string, readonly string[]>;

/** Second names of commands, as in Docker and make. */
export const commandAliases: Readonly<Record<string, string>> = { run: 'start', ls: 'dags', rm: 'delete' };

/** Hints for words that other tools have as a command. */
const foreignCommands: Readonly<Record<string, string>> = {
  test: 'To check a workflow without running it, use "engine validate FILE" or "engine dry FILE".',
  list: 'Use "engine ls" for workflows, "engine ps" for active runs or "engine history" for all runs.',
  kill: 'Use "engine stop DAG".',
  cancel: 'Use "engine stop DAG".',
};

/** All command names, for suggestions. */
const commandNames: readonly string[] = [
  ...Object.values(commandsByModule)
    .flat()
    .filter((name) => !name.startsWith('__')),
  ...Object.keys(commandAliases),
];

/** Returns a hint for an unknown command, if a known one is similar. */
export function suggestCommand(word: string): string | undefined {
  const hint = Object.hasOwn(foreignCommands, word) ? foreignCommands[word] : undefined;
  if (hint !== undefined) return hint;
  const nearest = findNearest(word, commandNames);
  return nearest === undefined ? undefined : `Did you mean "engine ${nearest}"?`;
}

/** Finds a subcommand by name or alias. */
export const findSubcommand = (command: Command, word: string): Command | undefined =>
  command.commands.find((each) => each.name() === word || each.aliases().includes(word));
