import { Option, type Command } from 'commander';
import { AppError } from '../../base/errors.ts';
import { roles } from '../../contract/operation.ts';
import { commandNotes } from '../help-texts.ts';
import { runCommand, runLocalCommand, type ProgramHooks } from '../command-context.ts';
import { formatOption, wholeNumber } from '../options.ts';

/** Adds the commands for users and tokens. */
export function addAccountCommands(program: Command, hooks: ProgramHooks): void {
  addUsers(program, hooks);
  addTokens(program, hooks);
  addAuth(program, hooks);
}

/** Adds the commands for stored secrets. */
export function addSecretsCommands(program: Command, hooks: ProgramHooks): void {
  const load = () => import('../commands/secrets.ts');
  const list = runCommand(hooks, async () => (await load()).runSecrets);
  const set = runCommand(hooks, async () => (await load()).runSecretSet);
  const remove = runCommand(hooks, async () => (await load()).runSecretDelete);
  const secrets = program
    .command('secrets')
    .description('Manage stored secrets')
    .addHelpText('after', commandNotes.secrets);
  secrets
    .command('list', { isDefault: true })
    .description('List secrets, the workflows that use them and when they were last used (without values)')
    .addOption(formatOption())
    .action((options, command: Command) => list(options, command));
  secrets
    .command('set')
    .description('Store a secret: the value is read from stdin, or asked for on a terminal')
    .argument('<NAME>', 'Name of the secret')
    .allowExcessArguments()
    .addOption(formatOption())
    .action((name: string, options, command: Command) => {
      assertNoValue(command.args.slice(1), hooks);
      return set({ name, ...options }, command);
    });
  secrets
    .command('delete')
    .description('Delete a stored secret')
    .argument('<NAME>', 'Name of the secret')
    .addOption(formatOption())
    .action((name: string, options, command: Command) => remove({ name, ...options }, command));
}

/** Rejects a value as an argument. @throws `bad_request` */
function assertNoValue(rest: readonly string[], { words }: ProgramHooks): void {
  if (rest.length === 0 && words.length === 0) return;
  throw new AppError('bad_request', 'A value cannot be an argument, because other processes can see it.', {
    details: { hint: 'Pipe it: engine secrets set NAME < FILE, or leave it out to be asked for it.' },
  });
}

const roleOption = (more = ''): Option =>
  new Option('--role <role>', `Role: ${roles.join(', ')}${more}`).choices([...roles]);

const passwordOption = (): Option =>
  new Option('--password-stdin', 'Read the password from the first line of stdin. Default: prompt.').default(
    false,
  );

function addUsers(program: Command, hooks: ProgramHooks): void {
  const load = () => import('../commands/accounts.ts');
  const list = runCommand(hooks, async () => (await load()).runUsers);
  const create = runCommand(hooks, async () => (await load()).runUserCreate);
  const update = runCommand(hooks, async () => (await load()).runUserUpdate);
  const remove = runCommand(hooks, async () => (await load()).runUserDelete);
  const reset = runCommand(hooks, async () => (await load()).runPasswordReset);
  const users = program.command('users').description('Manage users').addHelpText('after', commandNotes.users);
  users
    .command('list', { isDefault: true })
    .description('List users')
    .addOption(formatOption())
    .action((options, command: Command) => list(options, command));
  users
    .command('create')
    .description('Create a user (the first user must be an admin)')
    .argument('<NAME>', 'Username')
    .addOption(roleOption().makeOptionMandatory())
    .addOption(passwordOption())
    .addOption(formatOption())
    .action((username: string, options, command: Command) => create({ username, ...options }, command));
  users
    .command('update')
    .description('Change the name or role of a user')
    .argument('<NAME>', 'Username')
    .option('--name <name>', 'New username')
    .addOption(roleOption())
    .addOption(formatOption())
    .action((username: string, options, command: Command) => update({ username, ...options }, command));
  users
    .command('delete')
    .description('Delete a user and end all sessions and tokens of this user')
    .argument('<NAME>', 'Username')
    .addOption(formatOption())
    .action((username: string, options, command: Command) => remove({ username, ...options }, command));
  users
    .command('reset-password')
    .description('Reset the password of a user and end all sessions')
    .argument('<NAME>', 'Username')
    .addOption(passwordOption())
    .addOption(formatOption())
    .action((username: string, options, command: Command) => reset({ username, ...options }, command));
}

function addTokens(program: Command, hooks: ProgramHooks): void {
  const load = () => import('../commands/accounts.ts');
  const list = runCommand(hooks, async () => (await load()).runTokens);
  const create = runCommand(hooks, async () => (await load()).runTokenCreate);
  const remove = runCommand(hooks, async () => (await load()).runTokenDelete);
  const tokens = program
    .command('tokens')
    .description('Manage API tokens')
    .addHelpText('after', commandNotes.tokens);
  tokens
    .command('list', { isDefault: true })
    .description('List tokens (without secrets)')
    .addOption(formatOption())
    .action((options, command: Command) => list(options, command));
  tokens
    .command('create')
    .description('Create a token and print its secret once')
    .argument('<NAME>', 'Name of the token')
    .addOption(roleOption('. Default: viewer.').default('viewer'))
    .option('--expires-in-days <days>', 'Days until the token expires. Default: never.', wholeNumber(1, 3650))
    .addOption(formatOption())
    .action((name: string, options, command: Command) => create({ name, ...options }, command));
  tokens
    .command('delete')
    .description('Revoke a token')
    .argument('<TOKEN>', 'Token name or ID')
    .addOption(formatOption())
    .action((token: string, options, command: Command) => remove({ token, ...options }, command));
}

function addAuth(program: Command, hooks: ProgramHooks): void {
  const rotate = runLocalCommand(hooks, async () => (await import('../commands/accounts.ts')).runRotateKey);
  program
    .command('auth')
    .description('Manage session signing keys')
    .addHelpText('after', commandNotes.auth)
    .command('rotate-key')
    .description('Rotate the session signing key (API tokens are not affected)')
    .option(
      '--keep-hours <hours>',
      'Hours that existing sessions stay valid; 0 ends them immediately. Default: until they expire.',
      wholeNumber(0, 8760),
    )
    .addOption(formatOption())
    .action((options, command: Command) => rotate(options, command));
}
