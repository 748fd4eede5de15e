import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import net from 'node:net';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startServer, type EngineServer } from '../e2e/rig/test-home.ts';
import { waitUntilPasses } from '../harness/resources.ts';

/**
 * The longest event-loop block that an input may cause, in units of parsing one megabyte of JSON in the same
 * process. On the machine for which the limits were chosen that is 100 ms.
 */
const maxStandstill = 40;

// Some inputs are aborted at their own deadline, counted in CPU time.
vi.setConfig({ testTimeout: 120_000 });

const probe = path.join(import.meta.dirname, '../programs/loop-probe.mjs');
const folder = mkdtempSync(path.join(tmpdir(), 'stepwright-costly-'));
const home = path.join(folder, 'home');
const socket = path.join(folder, 'probe.sock');
let server: EngineServer;

beforeAll(async () => {
  mkdirSync(path.join(home, 'dags'), { recursive: true });
  server = await startServer(home, {
    command: 'start-all',
    env: { NODE_OPTIONS: `--import=${pathToFileURL(probe).href}`, LOOP_PROBE_SOCKET: socket },
  });
  // The first request to an endpoint loads its code, which is not a cost of the input.
  await send('POST', '/api/v2/dags/validate', { spec: 'steps: ["true"]' });
  await runToEnd(schema({ A: { type: 'string', pattern: '^a+$' } }), 'A=a');
  await runToEnd('steps: [{command: "true", preconditions: [{condition: a, expected: "re:a"}]}]');
  await send('GET', '/api/v2/dags/search?q=a&regex=true');
  await send('GET', '/gateway/t?select=a');
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The longest block since the last call, in units of the floor. */
async function readStandstill(): Promise<number> {
  const { maxMs, floorMs } = (await json(net.connect(socket))) as { maxMs: number; floorMs: number };
  return maxMs / floorMs;
}

interface Sent {
  readonly status: number;
  readonly text: string;
}

async function send(
  method: string,
  address: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Sent> {
  const response = await fetch(server.url + address, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

/** The longest block while the server processes something, in units of the floor. */
async function standstillOf(attack: () => Promise<unknown>): Promise<number> {
  await readStandstill();
  await attack();
  expect((await send('GET', '/api/v2/health')).status).toBe(200);
  return readStandstill();
}

/** Starts a run of a spec, and waits for its end. */
async function runToEnd(spec: string, params?: string): Promise<Sent> {
  const started = await send('POST', '/api/v2/dag-runs', { name: 'attack', spec, params });
  expect(started.status).toBeLessThan(500);
  if (started.status >= 400) return started;
  const { dagRunId } = JSON.parse(started.text) as { dagRunId: string };
  return waitUntilPasses(async () => {
    const run = await send('GET', `/api/v2/dag-runs/attack/${dagRunId}`);
    expect((JSON.parse(run.text) as { status: string }).status).not.toMatch(/running|queued|not_started/);
    return run;
  });
}

const repeat = (text: string, bytes: number): string => text.repeat(Math.floor(bytes / text.length));
const kilobytes = 1024;
/** The largest spec that the API validates. */
const maxSpec = 1024 * kilobytes - 64;
const list = (count: number, item: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => item(index)).join('\n');

describe('validating a spec', () => {
  const texts: Record<string, string> = {
    'one long tag': repeat('!', maxSpec),
    'a tag with a name': `!${repeat('a', maxSpec)}`,
    'a long key of an env map': `env: {"${repeat('-', maxSpec - 64)}": [1]}`,
    'escaped quotes of a shell': `shell: ${JSON.stringify(`"${repeat('\\"', maxSpec / 3)}`)}`,
    'an unbounded number of documents': repeat('---\n', maxSpec),
    'empty lines': repeat('\n', maxSpec),
    'carriage returns': repeat('\r', maxSpec),
    quotes: repeat('"', maxSpec),
    'the same key repeatedly': repeat('a: 1\n', maxSpec),
    anchors: list(60_000, (index) => `- &a${index} 1`),
    tags: list(100_000, (index) => `- !t${index % 7} 1`),
    aliases: `a: &a [1]\nb:\n${list(100_000, () => ' - *a')}`,
    'open brackets': repeat('[', maxSpec),
    'open braces': repeat('{', maxSpec),
    'too many steps': `steps:\n${list(80_000, () => ' - echo a')}`,
    'the maximum number of steps': `steps:\n${list(10_000, (index) => ` - {name: s${index}, command: "true"}`)}`,
    'misspelled dependencies': `type: graph\nsteps:\n${list(
      2000,
      (index) =>
        ` - {name: ${repeat('abcdefghij', 55)}${index}, command: "true", depends: ${repeat('abcdefghji', 55)}${index}}`,
    )}`,
    'dependencies on all': `type: graph\nsteps:\n${list(
      400,
      (index) =>
        ` - {name: s${index}, command: "true", depends: [${Array.from({ length: index }, (_, on) => `s${on}`).join(',')}]}`,
    )}`,
    'unknown fields': list(60_000, (index) => `comand${index}: 1`),
    'a long block': `steps:\n - |\n${repeat(`    echo a\n`, maxSpec - 100)}`,
    'merge keys': `a: &a {x: 1}\n${list(40_000, (index) => `k${index}: {<<: *a}`)}`,
    'control characters': repeat('\u0001', maxSpec / 6),
    tabs: repeat('\t', maxSpec / 2),
    comments: repeat('# comment\n', maxSpec),
    'references in one command': `steps:\n - 'echo ${repeat('${A.b.c[0]} ', maxSpec - 100)}'`,
    schedules: `schedule:\n${list(50_000, () => ' - "0 0 30 2 *"')}\nsteps: ["true"]`,
    patterns: `steps:\n${list(
      5000,
      () => ` - {command: "true", preconditions: [{condition: a, expected: "re:(a{1,100}){1,10}"}]}`,
    )}`,
    globs: `steps:\n${list(5000, () => ` - {command: "true", outputFiles: ["${'*a'.repeat(60)}"]}`)}`,
  };
  test.each(Object.entries(texts))('%s', async (_, spec) => {
    const standstill = await standstillOf(async () => {
      expect((await send('POST', '/api/v2/dags/validate', { spec })).status).toBeLessThan(500);
    });
    expect(standstill).toBeLessThan(maxStandstill);
  });
});

describe('a file added to the workflow folder', () => {
  test.each([
    ['one long tag', repeat('!', 4096 * kilobytes - 1)],
    ['the same key repeatedly', repeat('a: 1\n', 4096 * kilobytes - 1)],
    [
      'the maximum number of steps',
      `steps:\n${list(10_000, (index) => ` - {name: s${index}, command: "true"}`)}`,
    ],
  ])('%s', async (_, spec) => {
    const standstill = await standstillOf(async () => {
      writeFileSync(path.join(home, 'dags', 'costly.yaml'), spec);
      for (const address of ['/api/v2/dags', '/api/v2/dags/costly'])
        expect((await send('GET', address)).status).toBe(200);
      expect((await send('POST', '/api/v2/dags/costly/dry', {})).status).toBeLessThan(500);
    });
    expect(standstill).toBeLessThan(maxStandstill);
  });
});

const schema = (properties: unknown, more: object = {}): string =>
  `params: {schema: ${JSON.stringify({ type: 'object', properties, ...more })}}\nsteps: ["true"]`;

describe('starting a run', () => {
  const nested = { anyOf: [1, 2].map(() => ({ type: 'array', items: { $ref: '#/$defs/n' } })) };
  const starts: Record<string, readonly [spec: string, params?: string]> = {
    'a pattern of a schema': [
      schema({ A: { type: 'string', pattern: '^([a-zA-Z0-9_.+-]+)+@example\\.com$' } }),
      `A=${'a'.repeat(60_000)}!`,
    ],
    'a pattern of names': [
      schema({}, { patternProperties: { '^(a+)+$': { type: 'string' } } }),
      `${'a'.repeat(60)}X=1`,
    ],
    'a recursive schema': [
      schema({ A: { $ref: '#/$defs/n' } }, { $defs: { n: nested } }),
      `A=${'['.repeat(40)}1${']'.repeat(40)}`,
    ],
    'unique items': [
      schema({ A: { type: 'array', uniqueItems: true } }),
      `A=${JSON.stringify(Array.from({ length: 6000 }, (_, id) => ({ id, n: [id] })))}`,
    ],
    'exponential variables': [
      `env:\n${list(9, (index) => ` - A${index + 1}: "${`\${A${index}}`.repeat(10)}"`)}\n - B: \${A9}\nparams: A0=aaaaaaaaaa\nsteps: ["true"]`,
    ],
    'a condition with a pattern': [
      `steps: [{command: "true", preconditions: [{condition: "${'a'.repeat(60_000)}!", expected: "re:^(a+)+$"}]}]`,
    ],
    'an output with a pattern': [
      `steps: [{command: "head -c 60000 /dev/zero | tr '\\\\0' a; exit 1", continueOn: {output: "re:^(a+)+!$"}}]`,
    ],
    'a repetition with a pattern': [
      `steps: [{command: "echo ${'a'.repeat(60)}", repeatPolicy: {repeat: until, condition: "${'a'.repeat(5000)}!", expected: "re:^(a+)+$", limit: 2, intervalSec: 0.01}}]`,
    ],
    'an output used 400 times': [
      `maxOutputSize: 900000\nsteps:\n - {command: "head -c 900000 /dev/zero | tr '\\\\0' a", output: BIG}\n - {command: [echo, "${'${BIG}'.repeat(400)}"]}`,
    ],
    'globs of output files': [
      `workingDir: ${JSON.stringify(folder)}\nsteps:\n - {command: "mkdir -p d; touch d/${'a'.repeat(120)}", outputFiles: ["d/${'*a'.repeat(40)}b", "d/+(a|aa|aaa)b"]}`,
    ],
  };
  test.each([
    ['words', '* '],
    ['assignments', 'a=1 '],
    ['characters', 'x'],
  ])('unbounded %s as parameters', async (_, word) => {
    const standstill = await standstillOf(() => runToEnd('steps: ["true"]', repeat(word, 1024 * kilobytes)));
    expect(standstill).toBeLessThan(maxStandstill);
  });

  test.each(Object.entries(starts))('%s', async (_, [spec, params]) => {
    const standstill = await standstillOf(() => runToEnd(spec, params));
    expect(standstill).toBeLessThan(maxStandstill);
  });
});

/** JSON at its limits, and beyond them. */
function bodies(): Record<string, string> {
  const object = (keys: number, key: string): string =>
    JSON.stringify(Object.fromEntries(Array.from({ length: keys }, (_, index) => [`${key}${index}`, index])));
  return {
    'nested brackets': '['.repeat(500_000),
    'as many keys of one object as allowed': object(10_000, 'key'),
    'long keys': object(10_000, 'k'.repeat(700)),
    'more keys of one object than allowed': object(100_000, 'key'),
    'as many values as allowed': `{"a": [${'1,'.repeat(199_000)}1]}`,
    'as many values as allowed in large objects': `{"a": [${`${object(9900, 'key')},`.repeat(9)}1]}`,
    'a string without end': `{"a": "${'x'.repeat(7_000_000)}`,
  };
}

describe('an incoming webhook', () => {
  const address = async (): Promise<string> => {
    const receiver = {
      name: `r${Math.random().toString(36).slice(2)}`,
      scheme: 'bearer',
      secrets: ['sesame-sesame'],
    };
    const { text } = await send('POST', '/api/v2/webhooks/receivers', receiver);
    return (JSON.parse(text) as { path: string }).path;
  };
  const deliver = async (body: unknown, event = 'push'): Promise<void> => {
    const headers = { 'X-GitHub-Event': event, Authorization: 'Bearer sesame-sesame' };
    const { status } = await send('POST', await address(), body, headers);
    expect(status).toBeLessThan(500);
  };
  const save = (name: string, spec: string): void =>
    writeFileSync(path.join(home, 'dags', `${name}.yaml`), spec);

  test('a value matched by the pattern of a parameter', async () => {
    save(
      'signup',
      `on: {webhook: {params: {EMAIL: $.email}}}\n${schema({ EMAIL: { type: 'string', pattern: '^([a-z]+)+@example\\.com$' } })}`,
    );
    const standstill = await standstillOf(() => deliver({ email: `${'a'.repeat(30_000)}!` }));
    expect(standstill).toBeLessThan(maxStandstill);
  });

  test('long paths of many files, for many filters', async () => {
    const filters = ['src/**/*.ts', '**/*.md', 'docs/**', '**/test/**', '!**/*.lock'];
    save('build', `on: {push: {paths: ${JSON.stringify(filters)}}}\nsteps: ["true"]`);
    const modified = Array.from({ length: 4000 }, (_, id) => `${'a/'.repeat(490)}${id}`);
    const standstill = await standstillOf(() => deliver({ ref: 'refs/heads/main', commits: [{ modified }] }));
    expect(standstill).toBeLessThan(maxStandstill);
  });

  test.each(Object.entries(bodies()))('%s', async (_, body) => {
    save('listener', 'on: {webhook: {}}\nsteps: ["true"]\n');
    const standstill = await standstillOf(() => deliver(body));
    expect(standstill).toBeLessThan(maxStandstill);
  });

  test('one string of 25 MB', async () => {
    save('listener', 'on: {webhook: {}}\nsteps: ["true"]\n');
    const standstill = await standstillOf(() => deliver(JSON.stringify({ a: 'x'.repeat(25_000_000) })));
    expect(standstill).toBeLessThan(maxStandstill);
  });
});

describe('an API request', () => {
  test('an event with one string of 25 MB', async () => {
    const body = JSON.stringify({ event: 'push', payload: { a: 'x'.repeat(25_000_000) } });
    const standstill = await standstillOf(async () => {
      expect((await send('POST', '/api/v2/webhooks/events', body)).status).toBe(200);
    });
    expect(standstill).toBeLessThan(maxStandstill);
  });

  test.each(Object.entries(bodies()))('%s', async (_, body) => {
    for (const [address, text] of [
      ['/api/v2/dag-runs', body],
      ['/api/v2/dag-runs', `{"name": "a", "spec": "steps: []", "params": ${body}}`],
      ['/api/v2/webhooks/events', `{"event": "push", "payload": ${body}}`],
    ] as const) {
      const standstill = await standstillOf(async () =>
        expect((await send('POST', address, text)).status).toBeLessThan(500),
      );
      expect(standstill).toBeLessThan(maxStandstill);
    }
  });
});

describe('a search', () => {
  test.each(['(a+)+$', '(a|a)*b', 'a{1,50}{1,20}', '.*.*.*.*x'])(
    'for workflows matching %s',
    async (pattern) => {
      writeFileSync(path.join(home, 'dags', 'long.yaml'), `# ${'a'.repeat(200_000)}\nsteps: ["true"]\n`);
      const standstill = await standstillOf(async () => {
        const query = new URLSearchParams({ q: pattern, regex: 'true' });
        expect((await send('GET', `/api/v2/dags/search?${query.toString()}`)).status).toBeLessThan(500);
      });
      expect(standstill).toBeLessThan(maxStandstill);
    },
  );
});

describe('a gateway request', () => {
  test.each([
    ['deep logic', `/gateway/t?or=${'('.repeat(4000)}a.eq.1${')'.repeat(4000)}`],
    ['a long selection', `/gateway/t?select=${'a,'.repeat(7000)}a`],
    ['nested embeds', `/gateway/t?select=${'a('.repeat(4000)}b${')'.repeat(4000)}`],
    ['many filters', `/gateway/t?${'a=eq.1&'.repeat(2000)}`],
    ['commas and quotes', `/gateway/t?a=in.(${'",\\"'.repeat(3000)})`],
  ])('%s', async (_, address) => {
    await send('GET', '/gateway/');
    const standstill = await standstillOf(async () =>
      expect((await send('GET', address)).status).toBeLessThan(500),
    );
    expect(standstill).toBeLessThan(maxStandstill);
  });
});
