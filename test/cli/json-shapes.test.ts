import type { Command } from 'commander';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  buildTestProgram,
  fileAppears,
  makeTestHome,
  runEngine,
  saveDag,
  startEngine,
  waitForGoFile,
} from '../harness/home-and-command.ts';

const docs = readFileSync(join(import.meta.dirname, '../../docs/cli.md'), 'utf8');

/** Commands that change something. All others only read, and run here. */
const changing =
  /^(start|exec|retry|restart|stop|approve|reject|recover|enqueue|dequeue|suspend|resume|rename|duplicate|delete|import|config (set|unset)|cleanup|backup|restore|salvage|migrate history|queues (pause|drain|resume)|users (create|update|delete|reset-password)|tokens (create|delete)|db (migrate|copy)|workers (drain|resume|remove)|workers tokens (create|delete)|auth rotate-key|secrets (set|delete)|webhooks (create|update|rotate-secret|delete|ping|redeliver|replay|emit)|pings (create|delete)|notify resend|notify (channels|rules) (create|update|test|delete)|webhooks receivers (create|update|delete|rotate-secret|replay|send-sample)|gateway (psql|import|reload|backup|restore)|service (install|uninstall|start|stop))$/;

interface Reading {
  readonly path: string;
  readonly words: readonly string[];
}

/** Values for the arguments of a command in the home below. */
const argumentsOf: Readonly<Record<string, string>> = {
  DAG: 'etl',
  FILE: 'etl',
  QUEUE: 'nightly',
  RECEIVER: 'github',
  ID: '1',
};

/** Every read-only command with JSON output, with its arguments. */
function listReading(command: Command, path: readonly string[] = []): Reading[] {
  const inner = command.commands.filter((each) => !each.name().startsWith('__'));
  if (inner.length > 0) return inner.flatMap((each) => listReading(each, [...path, each.name()]));
  if (!command.options.some(({ long }) => long === '--format') || changing.test(path.join(' '))) return [];
  const needed = command.registeredArguments.filter((argument) => argument.required);
  return [
    { path: path.join(' '), words: [...path, ...needed.map((each) => argumentsOf[each.name()] ?? 'etl')] },
  ];
}

const reading = listReading((await buildTestProgram()).program);

/** The rows of the table in docs/cli.md: a command and the shape of its object. */
const documented = new Map(
  Array.from(docs.matchAll(/^\| `([a-z -]+)` \| `(\{.*?\})` \|/gm), ([, path, shape]) => [path!, shape!]),
);

/** Reads `{a, b?, c: [{d}]}`; values without braces may have any shape. */
function readShape(text: string): Shape {
  const inner = text.trim();
  if (inner.startsWith('[')) return { items: readShape(inner.slice(1, -1)) };
  if (!inner.startsWith('{')) return {};
  const fields = splitFields(inner.slice(1, -1)).map((field) => /^(\w+)(\??)(?::(.*))?$/s.exec(field)!);
  return {
    fields: Object.fromEntries(fields.map(([, name, , shape]) => [name!, readShape(shape ?? '')])),
    required: fields.filter(([, , mark]) => mark === '').map(([, name]) => name!),
  };
}

/** Splits at commas outside brackets. */
function splitFields(text: string): string[] {
  const fields = [''];
  let depth = 0;
  for (const character of text) {
    if ('{['.includes(character)) depth += 1;
    if ('}]'.includes(character)) depth -= 1;
    if (character === ',' && depth === 0) fields.push('');
    else fields[fields.length - 1] += character;
  }
  return fields.map((field) => field.trim());
}

interface Shape {
  readonly items?: Shape;
  readonly fields?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
}

/** Where a value does not match a shape. */
function listDifferences(value: unknown, shape: Shape, at: string): string[] {
  if (shape.items !== undefined) {
    if (!Array.isArray(value)) return [`${at} is no list`];
    return value.flatMap((each, index) => listDifferences(each, shape.items!, `${at}[${index}]`));
  }
  const { fields, required = [] } = shape;
  if (fields === undefined) return [];
  const given = (value ?? {}) as Readonly<Record<string, unknown>>;
  return [
    ...required.filter((key) => !Object.hasOwn(given, key)).map((key) => `${at}.${key} is missing`),
    ...Object.entries(given).flatMap(([key, each]) =>
      Object.hasOwn(fields, key)
        ? listDifferences(each, fields[key]!, `${at}.${key}`)
        : [`${at}.${key} is not documented`],
    ),
  ];
}

describe('--format json of every read-only command', () => {
  it('is documented, with its shape', () => {
    expect([...documented.keys()].sort()).toEqual(reading.map(({ path }) => path).sort());
  });

  it('prints exactly one object of that shape on stdout', async () => {
    const place = makeTestHome();
    saveDag(place, 'etl', 'queue: nightly\nschedule: "0 3 * * *"\nsteps:\n  - command: echo hello\n');
    await runEngine(place, ['enqueue', 'etl']);
    await runEngine(place, ['start', 'etl']);
    await runEngine(place, ['tokens', 'create', 'deploy']);
    await runEngine(place, ['webhooks', 'create', 'http://127.0.0.1:9/hook', '--allow-private']);
    await runEngine(place, ['webhooks', 'receivers', 'create', 'github']);
    await runEngine(place, ['pings', 'create', 'etl', '--every', '1d']);
    const outcomes = await Promise.all(
      reading.map(({ words: args }) => runEngine(place, [...args, '--format', 'json'])),
    );
    for (const [index, { code, stdout, stderr }] of outcomes.entries()) {
      const { path } = reading[index]!;
      expect({ path, code, stderr }).toEqual({ path, code: 0, stderr: '' });
      expect(stdout).toMatch(/^\{.*\}\n$/);
      const shape = readShape(documented.get(path)!);
      expect(listDifferences(JSON.parse(stdout), shape, path)).toEqual([]);
    }
  });

  it('matches the finished run when logs are followed', async () => {
    const place = makeTestHome();
    saveDag(place, 'etl', `steps:\n  - command: echo hello; ${waitForGoFile}\n`);
    const run = startEngine(place, ['start', 'etl', '--default-working-dir', place.cwd]);
    await fileAppears(join(place.cwd, 'begun'));
    const following = runEngine(place, ['logs', 'etl', '-f', '--format', 'json']);
    writeFileSync(join(place.cwd, 'go'), '');
    const { stdout, code } = await following;
    expect({ code, json: JSON.parse(stdout) as object }).toMatchObject({
      code: 0,
      json: {
        status: 'succeeded',
        logs: [
          { step: 'cmd_1', stream: 'stdout', lines: ['hello'] },
          { stream: 'stderr', lines: [] },
        ],
      },
    });
    await run.ended;
  });
});
