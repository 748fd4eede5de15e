import type { Command } from 'commander';
import { runLocalCommand, type ProgramHooks } from '../hooks.ts';
import { wholeNumber } from '../options.ts';
import { toFlags } from './server-commands.ts';

const notes = `
Examples:
  engine coordinator --host 0.0.0.0 --tls-cert server.crt --tls-key server.key --tls-client-ca workers-ca.crt
  engine coordinator --no-tls                  for local workers only

The coordinator uses the database of the home (database.url, ENGINE_DATABASE_URL); several can share a database.
Workers authenticate with client certificates, or join with a token (engine workers tokens create).
Certificate files are reloaded when they change. Health check: GET /health.`;

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

/** Adds the coordinator command. */
export function addCoordinatorCommand(program: Command, hooks: ProgramHooks): void {
  const coordinate = runLocalCommand(
    hooks,
    async () => (await import('../../commands/serving/coordinator.ts')).runCoordinator,
  );
  program
    .command('coordinator')
    .description('Start a coordinator that assigns steps to workers')
    .option('-s, --host <host>', 'Hostname or address to listen on. Default: 127.0.0.1.')
    .option('-p, --port <port>', 'Port, or 0 for any free port. Default: 8190.', wholeNumber(0, 65_535))
    .option('--url <url>', 'Public URL of the coordinator, shown to users')
    .option('--tls-cert <file>', 'Certificate chain file (PEM)')
    .option('--tls-key <file>', 'Private key file of the certificate')
    .option(
      '--tls-client-ca <file>',
      'CA certificates for worker client certificates. Default: workers join with tokens.',
    )
    .option('--tls-crl <file>', 'Certificate revocation list for worker certificates')
    .option('--no-tls', 'Disable TLS (local connections only)')
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
    // Enabled by default.
    ['coordinator.tls.enabled', '--no-tls', options.tls === false ? false : undefined],
  ]);
