import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../../core/base/json.ts';
import { applyChanges } from '../../../../core/edit/text-change.ts';
import { readEditable } from '../../../../core/edit/yaml/editable-text.ts';
import { insertItem } from '../../../../core/edit/yaml/set-value.ts';
import { RawYaml, readValue } from '../../../../core/edit/yaml/read-value.ts';
import { editFiles, listValues } from '../../../harness/workflow-texts.ts';

const files = editFiles.filter(({ text }) =>
  Array.isArray((listValues(text)[0] as { steps?: JsonValue } | null)?.steps),
);

describe('copies of steps by their text', () => {
  it('are covered by most files', () => expect(files.length).toBeGreaterThan(120));

  it.each(files)('mean the same in $name', ({ text }) => {
    const editable = readEditable(text);
    const before = listValues(text);
    const list = { document: 0, path: ['steps'] };
    const steps = readValue(editable, list)!.value as JsonValue[];
    for (const [index, step] of steps.entries()) {
      const raw = new RawYaml(readValue(editable, { document: 0, path: ['steps', index] })!.source);
      for (const place of new Set([index + 1, steps.length])) {
        const result = insertItem(editable, list, place, raw);
        if (!result.ok) throw new Error(`${result.reason}\n${raw.yaml}\n${text}`);
        const after = applyChanges(text, result.changes);
        expect(listValues(after)).toEqual([
          { ...(before[0] as object), steps: steps.toSpliced(place, 0, step) },
          ...before.slice(1),
        ]);
      }
    }
  });
});
