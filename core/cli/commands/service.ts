import { realpathSync } from 'node:fs';
import path from 'node:path';
import { exitCodes } from '../../base/error-codes.ts';
import { findConfigFile } from '../../home/config/engine-config.ts';
import { listMissingVariables } from '../../home/service/find-service-info.ts';
import { openService, type ServiceControl, type ServiceStatus } from '../../home/service/service-control.ts';
import { type CommandContext, type OutputFormat, printJson, printLines } from '../command-context.ts';
import { formatTable } from '../format.ts';

export interface ServiceInput {
  readonly action: 'install' | 'uninstall' | 'status' | 'start' | 'stop';
  readonly format: OutputFormat;
}

/** Performs an action on the home's service and prints its new state. Throws `unavailable`, `not_found`. */
export async function runService(context: CommandContext, { action, format }: ServiceInput): Promise<number> {
  const service = openHomeService(context);
  if (action !== 'status') await service[action]();
  const status = await service.status();
  if (format === 'json') await printJson(context, status);
  else await printLines(context, formatTable(['SERVICE', status.name], formatStatus(status)));
  if (action === 'install') await printServiceNotes(context);
  if (action === 'status' && format === 'text' && status.problem !== undefined)
    await context.terminal.stderr.write(`engine: ${status.problem}\n`);
  return exitCodes.success;
}

function openHomeService({ home, environment, configFile, cwd }: CommandContext): ServiceControl {
  const named = configFile ?? environment['ENGINE_CONFIG'];
  const { file } = findConfigFile({ home, environment, file: configFile, cwd });
  return openService({
    home,
    environment,
    launcher: realpathSync(process.argv[1]!),
    ...(named === undefined || named === '' ? {} : { configFile: path.resolve(cwd, file) }),
  });
}

const yesNo = (value: boolean): string => (value ? 'yes' : 'no');

const formatStatus = ({
  manager,
  file,
  installed,
  enabled,
  running,
  outdated,
}: ServiceStatus): string[][] => [
  [
    'installed',
    outdated
      ? 'yes, but from another version or path. Run "engine service install" to update.'
      : yesNo(installed),
  ],
  ['starts at login', yesNo(enabled)],
  ['running', yesNo(running)],
  ['manager', manager],
  ['definition', file],
];

async function printServiceNotes({ terminal, environment }: CommandContext): Promise<void> {
  const untold = listMissingVariables(environment);
  const lines = [
    ...(process.platform === 'linux'
      ? ['The service stops when you log out. To keep it running: loginctl enable-linger']
      : []),
    ...(untold.length > 0
      ? [
          `Set in this shell but not for the service: ${untold.join(', ')}. Move these settings to config.yaml.`,
        ]
      : []),
  ];
  for (const line of lines) await terminal.stderr.write(`engine: ${line}\n`);
}
