import type { Command } from 'commander';
import type { ServiceInput } from '../../commands/serving/service.ts';
import type { OutputFormat } from '../../command-context.ts';
import { carryOutOnHome, type ProgramHooks } from '../hooks.ts';
import { formatOption } from '../options.ts';

const actions: Readonly<Record<ServiceInput['action'], { meaning: string; notes: string }>> = {
  install: {
    meaning: 'keep engine start-all running with your session; brings an installed one up to date',
    notes: `
Examples:
  engine service install
  engine service install --engine-home /srv/flows     another home, a service of its own

It is a user unit of systemd, an agent of launchd or a scheduled task of Windows, and needs no administrator.
It gets this home, this configuration file, PATH and the language; nothing else of this terminal.`,
  },
  uninstall: {
    meaning: 'end it, and no longer start it',
    notes: `
Example:
  engine service uninstall

Its runs are stopped in order. The home stays as it is.`,
  },
  status: {
    meaning: 'say whether it is installed and running',
    notes: `
Example:
  engine service status --format json | jq .running`,
  },
  start: {
    meaning: 'start it now',
    notes: `
Example:
  engine service start`,
  },
  stop: {
    meaning: 'end it until the next session',
    notes: `
Example:
  engine service stop`,
  },
};

/** Adds the commands for the engine that runs without a window or a terminal. */
export function addServiceCommands(program: Command, hooks: ProgramHooks): void {
  const run = carryOutOnHome(
    hooks,
    async () => (await import('../../commands/serving/service.ts')).runService,
  );
  const service = program.command('service').description('keep the engine running in the background');
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
