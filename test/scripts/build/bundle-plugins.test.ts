import { build } from 'vite';
import { expect, test } from 'vitest';
import { homeFileSchemas } from '../../../core/contract/home-files.ts';
import { validateHomeFile } from '../../../core/store/home-file-validator.ts';
import { generateHomeFileModule, generateValidatorModule } from '../../../scripts/build/bundle-plugins.ts';

/** Bundles generated code like a node build does and imports the result. */
async function importGenerated<Exports>(code: string): Promise<Exports> {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'generated',
        resolveId: (id) => (id === 'generated' ? '\0generated' : undefined),
        load: (id) => (id === '\0generated' ? { code, moduleType: 'js' } : undefined),
      },
    ],
    ssr: { noExternal: true },
    build: { ssr: true, write: false, rolldownOptions: { input: 'generated' } },
  });
  const bundle = Array.isArray(result) ? result[0] : result;
  const chunk = bundle && 'output' in bundle ? bundle.output[0] : undefined;
  expect(chunk?.code).not.toMatch(/[^'"]require\(/);
  return import(`data:text/javascript;base64,${Buffer.from(chunk?.code ?? '').toString('base64')}`);
}

test('precompiled validators behave like the schema, including run-time functions of Ajv', async () => {
  const { validateAuthored } = await importGenerated<{ validateAuthored(value: unknown): unknown[] }>(
    generateValidatorModule({
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 2 },
        labels: { type: 'array', uniqueItems: true },
      },
      additionalProperties: false,
    }),
  );
  expect(validateAuthored({ name: 'ab', labels: [{ a: 1 }, { a: 2 }] })).toEqual([]);
  expect(validateAuthored({ name: '🙂', labels: [{ a: 1 }, { a: 1 }], other: 1 })).toMatchObject([
    { instancePath: '', keyword: 'additionalProperties', params: { additionalProperty: 'other' } },
    { instancePath: '/name', keyword: 'minLength' },
    { instancePath: '/labels', keyword: 'uniqueItems' },
  ]);
});

const user = {
  ...{ id: 'u1', username: 'ann', role: 'admin', passwordHash: 'x', createdAt: 1, updatedAt: 1 },
  sessionsEndedAt: 0,
};

test.each([
  ['users', { version: 1, users: [user] }, undefined],
  ['users', { version: 2, users: [] }, '/version'],
  ['users', { version: 1, users: [{ ...user, role: 'boss' }] }, '/users/0/role'],
  ['users', [], ''],
  ['keys', { version: 1, keys: [{ kid: 'k', secret: 'too short', createdAt: 1 }] }, '/keys/0/secret'],
  ['secrets', { version: 1, id: 's', slots: [], secrets: { db: { sealed: 'x', changedAt: '' } } }, undefined],
  ['secrets', { version: 1, id: 's', slots: [], secrets: { db: {} } }, '/secrets/db'],
  ['secretUses', { uses: { db: { at: 1.5, workflow: 'etl' } } }, '/uses/db/at'],
] as const)('the compiled validator of %s and the schema agree on %j', async (kind, content, place) => {
  const compiled = await importGenerated<{ validateHomeFile: typeof validateHomeFile }>(
    generateHomeFileModule(homeFileSchemas),
  );
  const issues = [validateHomeFile(kind, content), compiled.validateHomeFile(kind, content)];
  expect(issues[1]).toEqual(issues[0]);
  expect(issues[0]?.instancePath).toBe(place);
});
