import { type Command, InvalidArgumentError, Option } from 'commander';
import { runLocalCommand, type ProgramHooks, type GlobalOptions, runCommand } from '../command-context.ts';
import { wholeNumber, formatOption } from '../options.ts';
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
    async () => (await import('../commands/worker.ts')).runCoordinator,
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

const workerRunNotes = `
Examples:
  engine worker --coordinator https://box:8190 --token-file token.txt --labels gpu=true,region=eu --slots 4
  engine worker --coordinator https://a:8190 --coordinator https://b:8190 --tls-ca ca.crt --tls-cert w.crt --tls-key w.key

A worker runs steps whose workerSelector matches its labels, up to its number of slots. Workers need no database and
no shared disk. On SIGTERM, the worker accepts no new steps, waits for running steps (--drain-timeout) and exits;
a second signal stops the steps, a third kills them. After a crash, a restarted worker resumes its steps.
See also: docs/distributed.md.`;

interface WorkerFlags {
  readonly coordinator?: readonly string[];
  readonly labels?: string;
  readonly slots?: number;
  readonly id?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly tlsCa?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly workDir?: string;
  readonly drainTimeout?: string;
}

/** Adds the worker command. */
export function addWorkerCommand(program: Command, hooks: ProgramHooks): void {
  program
    .command('worker')
    .description('Run steps for a coordinator')
    .option('--coordinator <url>', 'Coordinator URL (repeatable)', collect)
    .option('--labels <labels>', 'Labels to match with workerSelector, such as gpu=true,region=eu')
    .option(
      '--slots <number>',
      'Maximum number of parallel steps. Default: number of CPUs.',
      wholeNumber(1, 10_000),
    )
    .option('--id <name>', 'Worker name. Default: generated on first start.')
    .option('--token-file <file>', 'File with the join token. Alternatives: --token, ENGINE_WORKER_TOKEN.')
    .option('--tls-ca <file>', 'CA certificates to verify coordinators')
    .option('--tls-cert <file>', 'Client certificate (instead of a token)')
    .option('--tls-key <file>', 'Private key of the client certificate')
    .option('--work-dir <dir>', 'Data folder of the worker. Default: worker in the home.')
    .option('--drain-timeout <time>', 'How long to wait for running steps at shutdown. Default: 10m.')
    .addHelpText('after', workerRunNotes)
    .action(async (_: unknown, command: Command) => {
      const { token, server, ...options }: WorkerFlags & GlobalOptions = command.optsWithGlobals();
      const { runWorker } = await import('../commands/worker.ts');
      const context = hooks.contextFor(options);
      hooks.setExitCode(await runWorker(context, { flags: readWorkerFlags({ ...options, token }), server }));
    });
}

const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];

const readWorkerFlags = (options: WorkerFlags): ReturnType<typeof toFlags> =>
  toFlags([
    ['worker.coordinators', '--coordinator', options.coordinator?.join(',')],
    ['worker.labels', '--labels', options.labels],
    ['worker.slots', '--slots', options.slots],
    ['worker.id', '--id', options.id],
    ['worker.token', '--token', options.token],
    ['worker.tokenFile', '--token-file', options.tokenFile],
    ['worker.tls.caFile', '--tls-ca', options.tlsCa],
    ['worker.tls.certFile', '--tls-cert', options.tlsCert],
    ['worker.tls.keyFile', '--tls-key', options.tlsKey],
    ['worker.dir', '--work-dir', options.workDir],
    ['worker.drainTimeout', '--drain-timeout', options.drainTimeout],
  ]);

const workerListNotes = `
Examples:
  engine workers
  engine workers drain gpu-1
  engine workers tokens create --note "GPU machines" --labels gpu=true > token.txt
  engine worker --coordinator https://box:8190 --token-file token.txt`;

/** Adds the commands that manage workers. */
export function addWorkersCommands(program: Command, hooks: ProgramHooks): void {
  const load = () => import('../commands/workers.ts');
  const list = runCommand(hooks, async () => (await load()).runWorkers);
  const coordinators = runCommand(hooks, async () => (await load()).runCoordinators);
  const change = runCommand(hooks, async () => (await load()).runWorkerChange);
  const workers = program
    .command('workers')
    .description('Show and manage workers')
    .addHelpText('after', workerListNotes);
  workers
    .command('list', { isDefault: true })
    .description('List workers and their running steps')
    .addOption(formatOption())
    .action((options, command: Command) => list(options, command));
  workers
    .command('coordinators')
    .description('List coordinators')
    .addOption(formatOption())
    .action((options, command: Command) => coordinators(options, command));
  for (const [verb, description] of changes) {
    workers
      .command(verb)
      .description(description)
      .argument('<WORKER>', 'Worker ID')
      .addOption(formatOption())
      .action((worker: string, options, command: Command) =>
        change({ worker, change: verb, ...options }, command),
      );
  }
  addTokens(workers, hooks);
}

const changes = [
  ['drain', 'Drain a worker (running steps continue, no new steps)'],
  ['resume', 'Resume a drained worker'],
  ['remove', 'Remove a worker and its credential (running steps are lost)'],
] as const;

function addTokens(workers: Command, hooks: ProgramHooks): void {
  const load = () => import('../commands/workers.ts');
  const list = runCommand(hooks, async () => (await load()).runJoinTokens);
  const create = runCommand(hooks, async () => (await load()).runJoinTokenCreate);
  const remove = runCommand(hooks, async () => (await load()).runJoinTokenDelete);
  const tokens = workers.command('tokens').description('Manage join tokens for workers');
  tokens
    .command('list', { isDefault: true })
    .description('List join tokens (without secrets)')
    .addOption(formatOption())
    .action((options, command: Command) => list(options, command));
  tokens
    .command('create')
    .description('Create a join token and print its secret once')
    .option('--note <text>', 'Note about the purpose of the token')
    .addOption(
      new Option(
        '--labels <list>',
        'Labels for all workers that join with the token, such as gpu=true,region=eu',
      ).argParser(parseLabels),
    )
    .option('--expires-in-days <days>', 'Days until the token expires. Default: never.', wholeNumber(1, 3650))
    .addOption(formatOption())
    .action((options, command: Command) => create(options, command));
  tokens
    .command('delete')
    .description('Revoke a join token (joined workers are not affected)')
    .argument('<TOKEN>', 'Token ID')
    .addOption(formatOption())
    .action((token: string, options, command: Command) => remove({ token, ...options }, command));
}

function parseLabels(text: string): Record<string, string> {
  const pairs = text.split(',').map((pair) => pair.trim());
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name, value] = pair.split(/=(.*)/s, 2);
      if (name === undefined || name.trim() === '' || value === undefined)
        throw new InvalidArgumentError(
          `Expected name=value pairs such as gpu=true,region=eu, but got "${pair}".`,
        );
      return [name.trim(), value.trim()];
    }),
  );
}
