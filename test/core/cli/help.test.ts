import { Command } from 'commander';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorCodes, exitCodes } from '../../../core/base/error-codes.ts';
import { environmentVariables, exitCodeLines } from '../../../core/cli/help.ts';
import { chooseGroups, commandGroups } from '../../../core/cli/program.ts';
import type { ProgramHooks } from '../../../core/cli/command-context.ts';
import { buildTestProgram } from '../../harness/home-and-command.ts';

const docs = readFileSync(join(import.meta.dirname, '../../../docs/cli.md'), 'utf8');

interface Leaf {
  readonly path: string;
  readonly command: Command;
}

/** Every command that does something, with its name. */
function leavesOf(command: Command, path: readonly string[] = []): Leaf[] {
  const inner = command.commands.filter((each) => !each.name().startsWith('__'));
  if (inner.length === 0) return [{ path: path.join(' '), command }];
  return inner.flatMap((each) => leavesOf(each, [...path, each.name()]));
}

const leaves = leavesOf((await buildTestProgram()).program);

/** Commands without output that a program would read, or with their own output. */
const withoutFormat = [
  'config set',
  'config unset',
  'server',
  'start-all',
  'scheduler',
  'schema',
  'completion',
  'help',
  'worker',
  'coordinator',
];

describe('command groups', () => {
  it.each(commandGroups.map((group) => [group.names.join(', '), group] as const))(
    'have help text: %s',
    async (_, { names, load }) => {
      const program = new Command();
      const add = await load();
      add(program, { words: [] } as unknown as ProgramHooks);
      expect(program.commands.map((command) => command.name()).sort()).toEqual([...names].sort());
    },
  );

  it.each([
    ['start', 1],
    ['etl.yaml', 1],
    [undefined, 1],
    ['users', 1],
    ['--engine-home', commandGroups.length],
    ['help', commandGroups.length],
  ])('are loaded as far as a line that starts with %s needs them', (first, count) => {
    expect(chooseGroups(first)).toHaveLength(count);
  });
});

describe('help of every command', () => {
  it.each(leaves.map((leaf) => [leaf.path, leaf] as const))('describes %s', (path, { command }) => {
    expect(command.description()).toMatch(/^[A-Z].{8,}[^.]$/);
    for (const option of command.options) expect(option.description).toMatch(/.{8,}/);
    for (const argument of command.registeredArguments) expect(argument.description).toMatch(/.{4,}/);
    expect(command.options.some(({ long }) => long === '--format')).toBe(!withoutFormat.includes(path));
  });

  it.each(leaves.map((leaf) => [leaf.path, leaf] as const))('%s is in docs/cli.md', (path, { command }) => {
    const [first] = path.split(' ');
    expect(docs).toMatch(new RegExp(`\`(engine )?${first}\\b`));
    for (const { long } of command.options) if (long) expect(docs).toContain(long);
  });

  it('shows the defaults of options', () => {
    for (const { path, command } of leaves) {
      const silent = command.options.filter(
        ({ defaultValue, description, flags }) =>
          flags.includes('<') &&
          (typeof defaultValue === 'string' || typeof defaultValue === 'number') &&
          !description.includes('Default: '),
      );
      expect(silent.map(({ flags }) => `${path} ${flags}`)).toEqual([]);
    }
  });

  it('has a page per command with examples, environment and exit codes', async () => {
    for (const words of [['start'], ['exec'], ['users', 'create']]) {
      const { program, stdout } = await buildTestProgram();
      await program.parseAsync(['help', ...words], { from: 'user' });
      expect(stdout.text).toContain(`Usage: engine ${words.join(' ')}`);
      expect(stdout.text).toContain('Environment:\n  ENGINE_HOME');
      expect(stdout.text).toContain('engine help exit-codes');
    }
  });

  it('suggests the nearest command for an unknown page', async () => {
    const { program } = await buildTestProgram();
    await expect(program.parseAsync(['help', 'strat'], { from: 'user' })).rejects.toMatchObject({
      code: 'not_found',
      details: { nearest: 'start' },
    });
  });
});

describe('engine help exit-codes', () => {
  it('lists every exit code, and the errors of each', async () => {
    const { program, stdout } = await buildTestProgram();
    await program.parseAsync(['help', 'exit-codes'], { from: 'user' });
    expect(stdout.text).toBe(
      exitCodeLines()
        .map((line) => `${line}\n`)
        .join(''),
    );
    for (const code of Object.values(exitCodes)) expect(stdout.text).toMatch(new RegExp(`^ +${code}  `, 'm'));
    for (const [name, { exit }] of Object.entries(errorCodes))
      expect(stdout.text).toMatch(new RegExp(`^ +${exit}  ${name}: `, 'm'));
  });
});

describe('engine help environment', () => {
  it('lists the variables of docs/cli.md, and no others', () => {
    const section = docs.slice(docs.indexOf('## Environment'));
    const rows = Array.from(section.matchAll(/^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \|/gm), ([, names = '']) =>
      names.replaceAll('`', ''),
    );
    expect(environmentVariables.map(([names]) => names)).toEqual(rows);
  });
});
