import { Option, type Command } from 'commander';
import { roles } from '../../../contract/operation.ts';
import { commandNotes } from '../help-texts.ts';
import { carryOut, carryOutOnHome, type ProgramHooks } from '../hooks.ts';
import { formatOption, wholeNumber } from '../options.ts';

/** Adds the commands about who may do what. */
export function addAccountCommands(program: Command, hooks: ProgramHooks): void {
  addUsers(program, hooks);
  addTokens(program, hooks);
  addAuth(program, hooks);
}

const roleOption = (more = ''): Option =>
  new Option('--role <role>', `what it allows: ${roles.join(', ')}${more}`).choices([...roles]);

const passwordOption = (): Option =>
  new Option('--password-stdin', 'take the password from the first line of stdin (default: ask)').default(
    false,
  );

function addUsers(program: Command, hooks: ProgramHooks): void {
  const load = () => import('../../commands/accounts/users.ts');
  const list = carryOut(hooks, async () => (await load()).runUsers);
  const create = carryOut(hooks, async () => (await load()).runUserCreate);
  const update = carryOut(hooks, async () => (await load()).runUserUpdate);
  const remove = carryOut(hooks, async () => (await load()).runUserDelete);
  const reset = carryOut(hooks, async () => (await load()).runPasswordReset);
  const users = program
    .command('users')
    .description('manage who may log in')
    .addHelpText('after', commandNotes.users);
  users
    .command('list', { isDefault: true })
    .description('list the users')
    .addOption(formatOption())
    .action((options, command: Command) => list(options, command));
  users
    .command('create')
    .description('add a user; the first one has to be an admin')
    .argument('<NAME>', 'name to log in with')
    .addOption(roleOption().makeOptionMandatory())
    .addOption(passwordOption())
    .addOption(formatOption())
    .action((username: string, options, command: Command) => create({ username, ...options }, command));
  users
    .command('update')
    .description('change the name or the role of a user')
    .argument('<NAME>', 'name of the user')
    .option('--name <name>', 'new name')
    .addOption(roleOption())
    .addOption(formatOption())
    .action((username: string, options, command: Command) => update({ username, ...options }, command));
  users
    .command('delete')
    .description('remove a user; their sessions and tokens end at once')
    .argument('<NAME>', 'name of the user')
    .addOption(formatOption())
    .action((username: string, options, command: Command) => remove({ username, ...options }, command));
  users
    .command('reset-password')
    .description('give a user a new password; their sessions end at once')
    .argument('<NAME>', 'name of the user')
    .addOption(passwordOption())
    .addOption(formatOption())
    .action((username: string, options, command: Command) => reset({ username, ...options }, command));
}

function addTokens(program: Command, hooks: ProgramHooks): void {
  const load = () => import('../../commands/accounts/tokens.ts');
  const list = carryOut(hooks, async () => (await load()).runTokens);
  const create = carryOut(hooks, async () => (await load()).runTokenCreate);
  const remove = carryOut(hooks, async () => (await load()).runTokenDelete);
  const tokens = program
    .command('tokens')
    .description('manage API tokens')
    .addHelpText('after', commandNotes.tokens);
  tokens
    .command('list', { isDefault: true })
    .description('list the tokens, without their secrets')
    .addOption(formatOption())
    .action((options, command: Command) => list(options, command));
  tokens
    .command('create')
    .description('make a token; only the secret goes to stdout, this once')
    .argument('<NAME>', 'what it is for')
    .addOption(roleOption(' (default: viewer)').default('viewer'))
    .option('--expires-in-days <days>', 'when it ends (default: never)', wholeNumber(1, 3650))
    .addOption(formatOption())
    .action((name: string, options, command: Command) => create({ name, ...options }, command));
  tokens
    .command('delete')
    .description('revoke a token')
    .argument('<TOKEN>', 'its name or id')
    .addOption(formatOption())
    .action((token: string, options, command: Command) => remove({ token, ...options }, command));
}

function addAuth(program: Command, hooks: ProgramHooks): void {
  const rotate = carryOutOnHome(
    hooks,
    async () => (await import('../../commands/upkeep/rotate-key.ts')).runRotateKey,
  );
  program
    .command('auth')
    .description('manage what sessions are signed with')
    .addHelpText('after', commandNotes.auth)
    .command('rotate-key')
    .description('sign sessions with a new key; API tokens stay')
    .option(
      '--keep-hours <hours>',
      'how long sessions under way still count; 0 ends them all (default: until they expire)',
      wholeNumber(0, 8760),
    )
    .addOption(formatOption())
    .action((options, command: Command) => rotate(options, command));
}
