import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTestHome, runEngine } from '../harness/home-and-command.ts';

const texts = readFileSync(join(import.meta.dirname, '../../resources/quotes/quotes.json'), 'utf8');

describe('engine quote', () => {
  it('prints a quote without a server or a home', async () => {
    const { code, stdout, stderr } = await runEngine(makeTestHome(), ['quote'], {
      ENGINE_HOME: '/dev/null/home',
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^[^\n]+\n$/);
    expect(texts).toContain(JSON.stringify(stdout.trim()));
  });

  it('prints a quote about a person, with facts about them', async () => {
    const args = ['quote', '--name', "Ada O'Brien", '--format', 'json'];
    const { code, stdout } = await runEngine(makeTestHome(), args);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      message: expect.stringContaining('Ada O’Brien'),
      nickname: 'Ada O’Brien',
      nlp_attributes: { pronoun: 'she', quote_structure: expect.any(Array) },
    });
  });

  it('rejects an invalid name', async () => {
    const { code, stdout, stderr } = await runEngine(makeTestHome(), ['quote', '-N', '<b>']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^engine: Invalid name "<b>"\. Use letters, digits,/);
  });
});
