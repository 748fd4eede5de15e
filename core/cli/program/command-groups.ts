import type { Command } from 'commander';
import { commandsOf } from './command-names.ts';
import type { ProgramHooks } from './hooks.ts';

/** Commands in one module, which is loaded on demand, because most of a short command's time is loading. */
export interface CommandGroup {
  readonly names: readonly string[];
  load(): Promise<(program: Command, hooks: ProgramHooks) => void>;
}

const startGroup: CommandGroup = {
  names: commandsOf.run,
  load: async () => (await import('./groups/run-commands.ts')).addRunCommands,
};

/** All groups, in the order of `engine --help`. */
export const commandGroups: readonly CommandGroup[] = [
  startGroup,
  {
    names: commandsOf.exec,
    load: async () => (await import('./groups/exec-command.ts')).addExecCommand,
  },
  {
    names: commandsOf.server,
    load: async () => (await import('./groups/server-commands.ts')).addServerCommands,
  },
  {
    names: commandsOf.service,
    load: async () => (await import('./groups/service-commands.ts')).addServiceCommands,
  },
  {
    names: commandsOf.approval,
    load: async () => (await import('./groups/approval-commands.ts')).addApprovalCommands,
  },
  {
    names: commandsOf.queue,
    load: async () => (await import('./groups/queue-commands.ts')).addQueueCommands,
  },
  {
    names: commandsOf.read,
    load: async () => (await import('./groups/read-commands.ts')).addReadCommands,
  },
  {
    names: commandsOf.workflow,
    load: async () => (await import('./groups/workflow-commands.ts')).addWorkflowCommands,
  },
  {
    names: commandsOf.import,
    load: async () => (await import('./groups/import-command.ts')).addImportCommand,
  },
  {
    names: commandsOf.maintenance,
    load: async () => (await import('./groups/maintenance-commands.ts')).addMaintenanceCommands,
  },
  {
    names: commandsOf.db,
    load: async () => (await import('./groups/db-commands.ts')).addDbCommands,
  },
  {
    names: commandsOf.account,
    load: async () => (await import('./groups/account-commands.ts')).addAccountCommands,
  },
  {
    names: commandsOf.webhook,
    load: async () => (await import('./groups/webhook-commands.ts')).addWebhookCommands,
  },
  {
    names: commandsOf.gateway,
    load: async () => (await import('./groups/gateway-commands.ts')).addGatewayCommands,
  },
  {
    names: commandsOf.coordinator,
    load: async () => (await import('./groups/coordinator-command.ts')).addCoordinatorCommand,
  },
  {
    names: commandsOf.workers,
    load: async () => (await import('./groups/workers-commands.ts')).addWorkersCommands,
  },
  {
    names: commandsOf.worker,
    load: async () => (await import('./groups/worker-command.ts')).addWorkerCommand,
  },
  {
    names: commandsOf.config,
    load: async () => (await import('./groups/config-commands.ts')).addConfigCommands,
  },
  {
    names: commandsOf.schema,
    load: async () => (await import('./groups/schema-command.ts')).addSchemaCommand,
  },
  {
    names: commandsOf.quote,
    load: async () => (await import('./groups/quote-command.ts')).addQuoteCommand,
  },
  {
    names: commandsOf.completion,
    load: async () => (await import('./groups/completion-commands.ts')).addCompletionCommands,
  },
  {
    names: commandsOf.help,
    load: async () => (await import('./groups/help-command.ts')).addHelpCommand,
  },
];

/** Commands that need all other commands. */
const overviews: readonly string[] = ['help', '__complete'];

/**
 * Returns the groups that a command line needs: the group of its first word; the group of `start`, the default
 * command, for a word that is not a command; all groups if it starts with an option.
 */
export function chooseGroups(first: string | undefined): readonly CommandGroup[] {
  if (first === undefined || first === '--') return [startGroup];
  if (first.startsWith('-') || overviews.includes(first)) return commandGroups;
  return [commandGroups.find(({ names }) => names.includes(first)) ?? startGroup];
}
