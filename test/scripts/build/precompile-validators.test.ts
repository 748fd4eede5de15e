import { build } from 'vite';
import { expect, test } from 'vitest';
import { generateValidatorModule } from '../../../scripts/build/bundle-plugins.ts';

/** Bundles generated code like a node build does and imports the result. */
async function importGenerated(
  code: string,
): Promise<{ readonly validateAuthored: (value: unknown) => unknown[] }> {
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
  const { validateAuthored } = await importGenerated(
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
