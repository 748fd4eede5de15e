import { describe, expect, it } from 'vitest';
import { loadBaseConfig } from '../../core/spec/base-config.ts';
import { loadSpec } from '../../core/spec/load.ts';
import { diagnose } from '../harness/workflow-texts.ts';
import { isBase, listYamlBlocks } from './read-page.ts';

const blocks = listYamlBlocks();

describe('workflows in the documentation', () => {
  const isFaulty = (marks: readonly string[]): boolean =>
    marks.includes('invalid') || marks.includes('warned');

  it.each(blocks.filter((block) => !isFaulty(block.marks) && !isBase(block)))(
    'load as shown: $place',
    ({ text }) => {
      expect(diagnose(text)).toEqual([]);
    },
  );

  it.each(blocks.filter(isBase))('load as base configurations: $place', ({ text }) => {
    const { base, diagnostics } = loadBaseConfig({ text });
    expect(base).toBeDefined();
    expect(diagnostics).toEqual([]);
  });

  it.each(blocks.filter(({ marks }) => isFaulty(marks)))(
    'have the quoted errors: $place',
    ({ text, marks, expected }) => {
      expect(diagnose(text)).toEqual(expected?.trimEnd().split('\n'));
      expect(loadSpec({ text }).workflows.length > 0).toBe(marks.includes('warned'));
    },
  );

  it('exist', () => {
    expect(blocks.length).toBeGreaterThan(15);
    expect(blocks.some(({ marks }) => marks.includes('invalid'))).toBe(true);
  });
});
