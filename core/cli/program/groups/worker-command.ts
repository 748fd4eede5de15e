import type { Command } from 'commander';
import type { GlobalOptions, ProgramHooks } from '../hooks.ts';
import { wholeNumber } from '../options.ts';
import { toFlags } from './server-commands.ts';

const notes = `
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
    .addHelpText('after', notes)
    .action(async (_: unknown, command: Command) => {
      const { token, server, ...options }: WorkerFlags & GlobalOptions = command.optsWithGlobals();
      const { runWorker } = await import('../../commands/serving/worker.ts');
      const context = hooks.contextFor(options);
      hooks.setExitCode(await runWorker(context, { flags: readFlags({ ...options, token }), server }));
    });
}

const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];

const readFlags = (options: WorkerFlags): ReturnType<typeof toFlags> =>
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
