import type { Command } from 'commander';
import type { ServiceInput } from '../../commands/serving/service.ts';
import type { OutputFormat } from '../../command-context.ts';
import { runLocalCommand, type ProgramHooks } from '../hooks.ts';
import { formatOption } from '../options.ts';

const actions: Readonly<Record<ServiceInput['action'], { meaning: string; notes: string }>> = {
  install: {
    meaning: 'Install or update the background service (engine start-all)',
    notes: `
Examples:
  engine service install
  engine service install --engine-home /srv/flows     a separate service for another home

Installs a systemd user unit, a launchd agent or a Windows scheduled task. No administrator rights are needed.
The service uses this home, this configuration file, PATH and language; no other variables are passed on.`,
  },
  uninstall: {
    meaning: 'Stop and remove the service',
    notes: `
Example:
  engine service uninstall

Active runs are stopped gracefully. The home is not changed.`,
  },
  status: {
    meaning: 'Show whether the service is installed and running',
    notes: `
Example:
  engine service status --format json | jq .running`,
  },
  start: {
    meaning: 'Start the service',
    notes: `
Example:
  engine service start`,
  },
  stop: {
    meaning: 'Stop the service until the next login',
    notes: `
Example:
  engine service stop`,
  },
};

/** Adds the service commands. */
export function addServiceCommands(program: Command, hooks: ProgramHooks): void {
  const run = runLocalCommand(
    hooks,
    async () => (await import('../../commands/serving/service.ts')).runService,
  );
  const service = program.command('service').description('Run the engine as a background service');
  for (const [action, { meaning, notes }] of Object.entries(actions)) {
    service
      .command(action)
      .description(meaning)
      .addOption(formatOption())
      .addHelpText('after', notes)
      .action(({ format }: { format: OutputFormat }, command: Command) =>
        run({ action: action as ServiceInput['action'], format }, command),
      );
  }
}
