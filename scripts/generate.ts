import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildApiReferencePage, buildQuoteStructures, buildStepTypePage } from './build/generated-files.ts';
import { buildBaseSchema, buildEditorSchema } from './build/editor-schema.ts';

const ROOT = join(import.meta.dirname, '..');

/** Returns the checked-in files that are generated from the sources, by path, with their current contents. */
export function generateFiles(): ReadonlyMap<string, string> {
  return new Map([
    ['docs/api-reference.md', buildApiReferencePage()],
    ['docs/executors/README.md', buildStepTypePage()],
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
