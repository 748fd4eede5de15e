import { realpathSync } from 'node:fs';
import path from 'node:path';
import { exitCodes } from '../../../base/error-codes.ts';
import { findConfigFile } from '../../../config/engine-config.ts';
import { listUntold } from '../../../service/find-facts.ts';
import { openService } from '../../../service/open-service.ts';
import type { ServiceControl, ServiceStatus } from '../../../service/service-control.ts';
import { type CommandContext, type OutputFormat, printJson, printLines } from '../../command-context.ts';
import { formatTable } from '../../report/table.ts';

export interface ServiceInput {
  readonly action: 'install' | 'uninstall' | 'status' | 'start' | 'stop';
  readonly format: OutputFormat;
}

/** Carries out one action on the service of the home, and says how it is afterwards. Throws `unavailable`, `not_found`. */
export async function runService(context: CommandContext, { action, format }: ServiceInput): Promise<number> {
  const service = openOwnService(context);
  if (action !== 'status') await service[action]();
  const status = await service.status();
  if (format === 'json') await printJson(context, status);
  else await printLines(context, formatTable(['SERVICE', status.name], describe(status)));
  if (action === 'install') await tellMore(context);
  if (action === 'status' && format === 'text' && status.problem !== undefined)
    await context.terminal.stderr.write(`engine: ${status.problem}\n`);
  return exitCodes.success;
}

function openOwnService({ home, environment, configFile, cwd }: CommandContext): ServiceControl {
  const named = configFile ?? environment['ENGINE_CONFIG'];
  const { file } = findConfigFile({ home, environment, file: configFile, cwd });
  return openService({
    home,
    environment,
    launcher: realpathSync(process.argv[1]!),
    ...(named === undefined || named === '' ? {} : { configFile: path.resolve(cwd, file) }),
  });
}

const yes = (value: boolean): string => (value ? 'yes' : 'no');

const describe = ({ manager, file, installed, enabled, running, outdated }: ServiceStatus): string[][] => [
  ['installed', outdated ? 'yes, but from another release or place: engine service install' : yes(installed)],
  ['starts with the session', yes(enabled)],
  ['running', yes(running)],
  ['manager', manager],
  ['definition', file],
];

async function tellMore({ terminal, environment }: CommandContext): Promise<void> {
  const untold = listUntold(environment);
  const lines = [
    ...(process.platform === 'linux'
      ? ['It ends when you sign out, unless you keep it: loginctl enable-linger']
      : []),
    ...(untold.length > 0
      ? [`Set here, but not for the service: ${untold.join(', ')}. Write what they say into config.yaml.`]
      : []),
  ];
  for (const line of lines) await terminal.stderr.write(`engine: ${line}\n`);
}
