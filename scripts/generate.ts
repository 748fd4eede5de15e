import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildOpenApi } from '../core/contract/openapi.ts';
import { buildApiReferencePage, buildQuoteStructures } from './build/generated-files.ts';
import { buildBaseSchema, buildEditorSchema } from './build/editor-schema.ts';

const ROOT = join(import.meta.dirname, '..');

/** Returns the checked-in files that are generated from the sources, by path, with their current contents. */
export function generateFiles(): ReadonlyMap<string, string> {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  return new Map([
    ['resources/openapi.json', toText(buildOpenApi(version))],
    ['docs/api-reference.md', buildApiReferencePage()],
    ['resources/schema/workflow.schema.json', toText(buildEditorSchema())],
    ['resources/schema/base.schema.json', toText(buildBaseSchema())],
    ['resources/quotes/structures.json', buildQuoteStructures()],
  ]);
}

const toText = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;

if (import.meta.main) {
  for (const [path, text] of generateFiles()) {
    writeFileSync(join(ROOT, path), text);
    console.log(`wrote ${path}`);
  }
}
