import type { Command } from 'commander';
import type { GlobalOptions, ProgramHooks } from '../hooks.ts';
import { wholeNumber } from '../options.ts';
import { toFlags } from './server-commands.ts';

const notes = `
Examples:
  engine worker --coordinator https://box:8190 --token-file token.txt --labels gpu=true,region=eu --slots 4
  engine worker --coordinator https://a:8190 --coordinator https://b:8190 --tls-ca ca.crt --tls-cert w.crt --tls-key w.key

It takes steps whose workerSelector its labels fit, as many at once as it has slots. It needs no database and no shared
disk, and keeps what it has to know of its steps in its own folder. On SIGTERM it takes nothing new, waits for its steps
(--drain-timeout), tells how they ended, and leaves; a second signal stops the steps, a third one kills them. Killed, it
goes on with its steps at its next start. Coordinators: docs/distributed.md.`;

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

/** Adds the command that does the work of coordinators. */
export function addWorkerCommand(program: Command, hooks: ProgramHooks): void {
  program
    .command('worker')
    .description('do steps for coordinators')
    .option('--coordinator <url>', 'where one is; more of them may be named', collect)
    .option('--labels <labels>', 'what workerSelector asks for, such as gpu=true,region=eu')
    .option('--slots <number>', 'steps at once (default: one a processor)', wholeNumber(1, 10_000))
    .option('--id <name>', 'its name (default: one that it makes and keeps)')
    .option(
      '--token-file <file>',
      'a file with the token by which it joins (--token and ENGINE_WORKER_TOKEN: the token)',
    )
    .option('--tls-ca <file>', 'authorities of the coordinators’ certificates')
    .option('--tls-cert <file>', 'its own certificate, instead of a token')
    .option('--tls-key <file>', 'the key of the certificate')
    .option('--work-dir <dir>', 'its own folder (default: worker in the home)')
    .option('--drain-timeout <time>', 'how long steps may go on once it is told to end (default: 10m)')
    .addHelpText('after', notes)
    .action(async (_: unknown, command: Command) => {
      const { token, server, ...given }: WorkerFlags & GlobalOptions = command.optsWithGlobals();
      const { runWorker } = await import('../../commands/serving/worker.ts');
      const context = hooks.contextFor(given);
      hooks.setExitCode(await runWorker(context, { flags: readFlags({ ...given, token }), server }));
    });
}

const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];

const readFlags = (given: WorkerFlags): ReturnType<typeof toFlags> =>
  toFlags([
    ['worker.coordinators', '--coordinator', given.coordinator?.join(',')],
    ['worker.labels', '--labels', given.labels],
    ['worker.slots', '--slots', given.slots],
    ['worker.id', '--id', given.id],
    ['worker.token', '--token', given.token],
    ['worker.tokenFile', '--token-file', given.tokenFile],
    ['worker.tls.caFile', '--tls-ca', given.tlsCa],
    ['worker.tls.certFile', '--tls-cert', given.tlsCert],
    ['worker.tls.keyFile', '--tls-key', given.tlsKey],
    ['worker.dir', '--work-dir', given.workDir],
    ['worker.drainTimeout', '--drain-timeout', given.drainTimeout],
  ]);
