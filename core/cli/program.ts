import { Command, type CommanderError } from 'commander';
import type { Dispose } from '../base/clock.ts';
import { AppError, toAppError } from '../base/errors.ts';
import { systemClock } from '../base/system-clock.ts';
import { contextCreator, type Installation, type ProgramHooks } from './command-context.ts';
import { commandAliases, commandsByModule } from './command-names.ts';
import { programNotes } from './help-texts.ts';
import { printError } from './print-error.ts';
import { openTerminal, type OutputStreams, type Terminal } from './terminal.ts';

/** Runs an `engine` command from its arguments and ends the process with its exit code. */
export async function runCommandLine(argv: readonly string[], installation: Installation): Promise<void> {
  // Keeps the process alive for a command that waits for a run of another process.
  systemClock.after(Number.MAX_SAFE_INTEGER, () => {});
  const code = await runCommand(argv, installation);
  // Remaining resources of an engine (a watcher, an idle connection) must not keep a finished command alive.
  process.exit(code);
}

/**
 * Runs an `engine` command in this process, with its environment and working directory.
 * @param outlets default: stdout and stderr of this process
 * @returns its exit code, after all output is written
 */
export async function runCommand(
  argv: readonly string[],
  installation: Installation,
  outlets?: OutputStreams,
): Promise<number> {
  const options = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : undefined);
  const terminal = openTerminal(process.env, options.includes('--no-color'), outlets);
  const cleanups: Dispose[] = [];
  const code = await execute(argv, options, terminal, { installation, cleanups });
  await terminal.stdout.flush();
  const unwritten = code === 0 ? await reportLostOutput(terminal) : code;
  await terminal.stderr.flush();
  for (const cleanUp of cleanups) cleanUp();
  return unwritten;
}

/** Reports lost output, which would otherwise look complete. Returns the exit code. */
async function reportLostOutput(terminal: Terminal): Promise<number> {
  const { failure } = terminal.stdout;
  if (failure === undefined) return 0;
  const error = new AppError('storage_full', `Some output could not be written: ${failure.message}`);
  return printError(terminal, error, { json: false, debug: false });
}

async function execute(
  argv: readonly string[],
  options: readonly string[],
  terminal: Terminal,
  { installation, cleanups }: { readonly installation: Installation; readonly cleanups: Dispose[] },
): Promise<number> {
  try {
    if (process.env['ENGINE_FAILPOINT'])
      (await import('../process/arm-fail-points.ts')).armFailPoints(process.env);
    let exitCode = 0;
    const hooks = {
      terminal,
      words: argv.slice(options.length + 1),
      contextFor: contextCreator(terminal, installation, cleanups),
      setExitCode: (code: number) => (exitCode = code),
    };
    const program = await buildProgram(hooks, argv);
    try {
      await program.parseAsync(argv, { from: 'user' });
    } catch (error) {
      if (!isCommanderEnd(error)) throw error;
      if (error.exitCode === 0) return 0;
      const { toUsageError } = await import('./usage-error.ts');
      throw toUsageError(error, program, options);
    }
    return exitCode;
  } catch (error) {
    return printError(terminal, toAppError(error), {
      json: wantsJson(options),
      debug: Boolean(process.env['ENGINE_DEBUG']),
    });
  }
}

/** Whether commander has thrown to exit: code 0 after help, otherwise with an error message. */
const isCommanderEnd = (error: unknown): error is CommanderError =>
  error instanceof Error &&
  'code' in error &&
  String(error.code).startsWith('commander.') &&
  'exitCode' in error;

const wantsJson = (options: readonly string[]): boolean =>
  options.includes('--format=json') || options[options.indexOf('--format') + 1] === 'json';

/**
 * Builds the command line: options, arguments and help. The implementation of each command is loaded when it runs.
 * Throws a `CommanderError` instead of ending the process.
 * @param argv decides what to load
 */
export async function buildProgram(hooks: ProgramHooks, argv: readonly string[]): Promise<Command> {
  // As in psql, `-c` of `gateway psql` is the command.
  const isPsql = argv.some((word, index) => word === 'psql' && argv[index - 1] === 'gateway');
  const program = new Command('engine')
    .description('Run workflows (DAGs in YAML) and inspect their runs.')
    .usage('[command] [options] [DAG] [-- params]')
    .option('--engine-home <dir>', 'Home directory. Default: $ENGINE_HOME, or the platform default.')
    .option(
      `${isPsql ? '' : '-c, '}--config <file>`,
      'Configuration file. Default: $ENGINE_CONFIG, or config.yaml in the home.',
    )
    .option('--server <url>', 'Use this server instead of a local home. Default: $ENGINE_SERVER.')
    .option('--token <token>', 'API token for the server. Default: $ENGINE_SERVER_TOKEN.')
    .option('--no-color', 'Disable colored output')
    .exitOverride()
    .configureHelp({
      showGlobalOptions: true,
      subcommandTerm: commandTerm,
      // Option descriptions already contain choices and defaults.
      optionDescription: (option) => option.description,
    })
    .configureOutput({
      writeOut: (text) => void hooks.terminal.stdout.write(text),
      // Errors are reported in one place, with the exit code (`execute`).
      writeErr() {},
      getOutHelpWidth: () => Math.min(hooks.terminal.stdout.columns, 100),
    })
    .helpOption('-h, --help', 'Show help')
    .helpCommand(false)
    .addHelpText('after', programNotes)
    .hook('preAction', (_program, command) => {
      assertNoEmptyArgs(command, hooks);
      assertNoEmptyOptions(command);
    });
  for (const { load } of chooseGroups(argv[0])) {
    const add = await load();
    add(program, hooks);
  }
  for (const [alias, name] of Object.entries(commandAliases))
    program.commands.find((command) => command.name() === name)?.alias(alias);
  return program;
}

/** Throws `bad_request` for an empty argument, which usually comes from an unset variable in a script. */
function assertNoEmptyArgs(command: Command, { words: args }: ProgramHooks): void {
  const positional = command.args.slice(0, command.args.length - args.length);
  const empty = command.registeredArguments.find(
    ({ variadic }, position) => !variadic && positional[position]?.trim() === '',
  );
  if (empty !== undefined) throw emptyValueError(empty.name());
}

/** Rejects empty option values, except for free-form strings and optional paths. */
function assertNoEmptyOptions(command: Command): void {
  for (let each: Command | null = command; each !== null; each = each.parent) {
    const values = each.opts<Readonly<Record<string, unknown>>>();
    const empty = each.options.find(
      (option) =>
        !/<(text|path)>$/.test(option.flags) && [values[option.attributeName()]].flat().includes(''),
    );
    if (empty !== undefined) throw emptyValueError(empty.long ?? empty.flags);
  }
}

const emptyValueError = (name: string): AppError =>
  new AppError('bad_request', `Value of ${name} is empty.`, {
    details: { hint: 'If the value comes from a shell variable, check that the variable is set.' },
  });

/** Returns `status <DAG>` or `start|run [DAG]`, without the redundant options. */
function commandTerm(command: Command): string {
  const args = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    if (argument.name() === 'params') return '[-- params...]';
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [[command.name(), ...command.aliases()].join('|'), ...args].join(' ');
}

/** Commands in one module, which is loaded on demand, because most of a short command's time is loading. */
export interface CommandGroup {
  readonly names: readonly string[];
  load(): Promise<(program: Command, hooks: ProgramHooks) => void>;
}

const startGroup: CommandGroup = {
  names: commandsByModule.run,
  load: async () => (await import('./groups/run-commands.ts')).addRunCommands,
};

/** All groups, in the order of `engine --help`. */
export const commandGroups: readonly CommandGroup[] = [
  startGroup,
  {
    names: commandsByModule.exec,
    load: async () => (await import('./groups/run-commands.ts')).addExecCommand,
  },
  {
    names: commandsByModule.server,
    load: async () => (await import('./groups/server-commands.ts')).addServerCommands,
  },
  {
    names: commandsByModule.service,
    load: async () => (await import('./groups/server-commands.ts')).addServiceCommands,
  },
  {
    names: commandsByModule.approval,
    load: async () => (await import('./groups/run-commands.ts')).addApprovalCommands,
  },
  {
    names: commandsByModule.queue,
    load: async () => (await import('./groups/queue-commands.ts')).addQueueCommands,
  },
  {
    names: commandsByModule.read,
    load: async () => (await import('./groups/read-commands.ts')).addReadCommands,
  },
  {
    names: commandsByModule.workflow,
    load: async () => (await import('./groups/workflow-commands.ts')).addWorkflowCommands,
  },
  {
    names: commandsByModule.import,
    load: async () => (await import('./groups/workflow-commands.ts')).addImportCommand,
  },
  {
    names: commandsByModule.maintenance,
    load: async () => (await import('./groups/maintenance-commands.ts')).addMaintenanceCommands,
  },
  {
    names: commandsByModule.db,
    load: async () => (await import('./groups/maintenance-commands.ts')).addDbCommands,
  },
  {
    names: commandsByModule.account,
    load: async () => (await import('./groups/account-commands.ts')).addAccountCommands,
  },
  {
    names: commandsByModule.secrets,
    load: async () => (await import('./groups/account-commands.ts')).addSecretsCommands,
  },
  {
    names: commandsByModule.webhook,
    load: async () => (await import('./groups/webhook-commands.ts')).addWebhookCommands,
  },
  {
    names: commandsByModule.ping,
    load: async () => (await import('./groups/notify-commands.ts')).addPingCommands,
  },
  {
    names: commandsByModule.notify,
    load: async () => (await import('./groups/notify-commands.ts')).addNotifyCommands,
  },
  {
    names: commandsByModule.gateway,
    load: async () => (await import('./groups/gateway-commands.ts')).addGatewayCommands,
  },
  {
    names: commandsByModule.coordinator,
    load: async () => (await import('./groups/worker-commands.ts')).addCoordinatorCommand,
  },
  {
    names: commandsByModule.workers,
    load: async () => (await import('./groups/worker-commands.ts')).addWorkersCommands,
  },
  {
    names: commandsByModule.worker,
    load: async () => (await import('./groups/worker-commands.ts')).addWorkerCommand,
  },
  {
    names: commandsByModule.config,
    load: async () => (await import('./groups/help-commands.ts')).addConfigCommands,
  },
  {
    names: commandsByModule.schema,
    load: async () => (await import('./groups/workflow-commands.ts')).addSchemaCommand,
  },
  {
    names: commandsByModule.quote,
    load: async () => (await import('./groups/help-commands.ts')).addQuoteCommand,
  },
  {
    names: commandsByModule.completion,
    load: async () => (await import('./groups/help-commands.ts')).addCompletionCommands,
  },
  {
    names: commandsByModule.help,
    load: async () => (await import('./groups/help-commands.ts')).addHelpCommand,
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
  const name = Object.hasOwn(commandAliases, first) ? commandAliases[first]! : first;
  return [commandGroups.find(({ names }) => names.includes(name)) ?? startGroup];
}
