import type { Command } from 'commander';
import { carryOutOnHome, type ProgramHooks } from '../hooks.ts';
import { wholeNumber } from '../options.ts';
import { toFlags } from './server-commands.ts';

const notes = `
Examples:
  engine coordinator --host 0.0.0.0 --tls-cert server.crt --tls-key server.key --tls-client-ca workers-ca.crt
  engine coordinator --no-tls                  for workers of this machine

It works on the database of the home (database.url, ENGINE_DATABASE_URL); several may run over one database. Workers
prove themselves with certificates of the client authority; without one they join by a token (engine workers tokens
create). Files of certificates are read anew when they change. GET /health tells whether it serves.`;

interface CoordinatorFlags {
  readonly host?: string;
  readonly port?: number;
  readonly url?: string;
  readonly tls?: boolean;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly tlsClientCa?: string;
  readonly tlsCrl?: string;
}

/** Adds the command that serves workers on other machines. */
export function addCoordinatorCommand(program: Command, hooks: ProgramHooks): void {
  const coordinate = carryOutOnHome(
    hooks,
    async () => (await import('../../commands/serving/coordinator.ts')).runCoordinator,
  );
  program
    .command('coordinator')
    .description('hand out work to workers on other machines')
    .option('-s, --host <host>', 'name or address to listen on (default: 127.0.0.1)')
    .option('-p, --port <port>', 'port, 0 for any free one (default: 8190)', wholeNumber(0, 65_535))
    .option('--url <url>', 'where workers reach it, to be shown to people')
    .option('--tls-cert <file>', 'certificate, and those above it, in PEM')
    .option('--tls-key <file>', 'its private key')
    .option(
      '--tls-client-ca <file>',
      'authorities of the workers’ certificates (default: workers join by tokens)',
    )
    .option('--tls-crl <file>', 'list of workers’ certificates that were taken back')
    .option('--no-tls', 'speak plain HTTP, on this machine only')
    .addHelpText('after', notes)
    .action((options: CoordinatorFlags, command: Command) =>
      coordinate({ flags: readFlags(options) }, command),
    );
}

const readFlags = (options: CoordinatorFlags): ReturnType<typeof toFlags> =>
  toFlags([
    ['coordinator.host', '--host', options.host],
    ['coordinator.port', '--port', options.port],
    ['coordinator.publicUrl', '--url', options.url],
    ['coordinator.tls.certFile', '--tls-cert', options.tlsCert],
    ['coordinator.tls.keyFile', '--tls-key', options.tlsKey],
    ['coordinator.tls.clientCaFile', '--tls-client-ca', options.tlsClientCa],
    ['coordinator.tls.crlFile', '--tls-crl', options.tlsCrl],
    // On unless it is switched off.
    ['coordinator.tls.enabled', '--no-tls', options.tls === false ? false : undefined],
  ]);
