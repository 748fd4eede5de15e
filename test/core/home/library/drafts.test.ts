import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import { Drafts } from '../../../../core/home/library/drafts.ts';
import { Layouts } from '../../../../core/home/library/layouts.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';

function setUp() {
  const folder = path.join(makeTemporaryFolder(), 'data', 'editor');
  const clock = new FakeClock();
  return { folder, clock, drafts: new Drafts(folder, clock) };
}

const file = { fileName: 'etl' };
const by = 'ann';

function error(action: () => unknown): { code: string; details: unknown } {
  try {
    action();
  } catch (cause) {
    if (cause instanceof AppError) return { code: cause.code, details: cause.details };
    throw cause;
  }
  throw new Error('nothing was rejected');
}

describe('drafts', () => {
  test('survive the engine, whatever their text is', () => {
    const { folder, clock, drafts } = setUp();
    expect(drafts.get(file)).toBeUndefined();
    const spec = 'steps: [\r\n\t"ü😀\0';
    const { revision } = drafts.put(file, { spec, baseHash: 'b', revision: 0, by });
    expect(new Drafts(folder, clock).get(file)).toEqual({
      spec,
      baseHash: 'b',
      revision,
      at: clock.now(),
      by,
    });
    expect(readdirSync(path.join(folder, 'drafts'))).toEqual(['etl.json']);
  });

  test('are not overwritten by a window that has not seen the last change', () => {
    const { clock, drafts } = setUp();
    const first = drafts.put(file, { spec: 'one', revision: 0, by });
    const second = drafts.put(file, { spec: 'two', revision: first.revision, by: 'ben' });
    expect(second.revision).toBeGreaterThan(first.revision);
    const stale = { code: 'conflict', details: { revision: second.revision } };
    expect(error(() => drafts.put(file, { spec: 'three', revision: first.revision, by }))).toEqual(stale);
    expect(error(() => drafts.put(file, { spec: 'three', revision: 0, by }))).toEqual(stale);
    expect(error(() => drafts.remove(file, first.revision))).toEqual(stale);
    expect(drafts.get(file)?.spec).toBe('two');
    // A request that is repeated because its response was lost.
    expect(drafts.put(file, { spec: 'two', revision: first.revision, by: 'ben' })).toEqual(second);
    clock.advance(1000);
    expect(drafts.remove(file, second.revision)).toBe(true);
    expect(error(() => drafts.put(file, { spec: 'three', revision: second.revision, by }))).toEqual({
      code: 'conflict',
      details: { revision: 0 },
    });
    expect(drafts.put(file, { spec: 'anew', revision: 0, by }).revision).toBeGreaterThan(second.revision);
  });

  test('are deleted once', () => {
    const { drafts } = setUp();
    drafts.put(file, { spec: 'one', revision: 0, by });
    expect([drafts.remove(file), drafts.remove(file), drafts.remove(file, 7)]).toEqual([true, false, false]);
  });

  test('of a workflow without a file are separate from those of a file of the same name', () => {
    const { clock, drafts } = setUp();
    drafts.put(file, { spec: 'of the file', revision: 0, by });
    drafts.put({ draftId: 'etl' }, { spec: 'new', name: 'later', revision: 0, by });
    clock.advance(1);
    drafts.put({ draftId: 'a' }, { spec: 'newer', revision: 0, by });
    drafts.rename('etl', 'load');
    expect(drafts.list().map(({ draft, ...place }) => ({ ...place, spec: draft.spec }))).toEqual([
      { fileName: 'load', spec: 'of the file' },
      { draftId: 'a', spec: 'newer' },
      { draftId: 'etl', spec: 'new' },
    ]);
    drafts.rename('none', 'other');
    expect(drafts.get({ fileName: 'other' })).toBeUndefined();
  });

  test('are limited', () => {
    const { drafts } = setUp();
    const put = (spec: string) => error(() => drafts.put(file, { spec, revision: 0, by }));
    expect(put('x'.repeat(4 * 1024 * 1024 + 1))).toEqual({ code: 'bad_request', details: { field: 'spec' } });
    expect(put('\uD800')).toEqual({ code: 'bad_request', details: { field: 'spec' } });
    for (let index = 0; index < 200; index += 1)
      drafts.put({ draftId: `draft-${index}` }, { spec: '', revision: 0, by });
    const more = () => drafts.put({ draftId: 'more' }, { spec: '', revision: 0, by });
    expect(error(more)).toMatchObject({ code: 'bad_request' });
    drafts.remove({ draftId: 'draft-7' });
    expect(more()).toMatchObject({ spec: '' });
  });

  test('that are invalid or unreadable do not prevent writing', () => {
    const { folder, drafts } = setUp();
    mkdirSync(path.join(folder, 'drafts'), { recursive: true });
    for (const text of ['{"spec": 1}', '{', 'null', '[]', '']) {
      writeFileSync(path.join(folder, 'drafts', 'etl.json'), text);
      expect(drafts.get(file)).toBeUndefined();
      expect(drafts.list()).toEqual([]);
    }
    expect(drafts.put(file, { spec: 'one', revision: 0, by }).spec).toBe('one');
    expect(drafts.get(file)?.spec).toBe('one');
  });
});

describe('layouts', () => {
  const layout = {
    direction: 'down' as const,
    nodes: { a: { x: 1, y: -2.5 }, ['__proto__']: { x: 0, y: 0 } },
  };

  test('are stored for each workflow of a file, and follow it', () => {
    const folder = makeTemporaryFolder();
    const layouts = new Layouts(folder);
    layouts.put('etl', '', layout);
    layouts.put('etl', 'child', { nodes: {}, collapsed: ['group'] });
    layouts.rename('etl', 'load');
    const anew = new Layouts(folder);
    expect(anew.get('load', '')).toEqual(layout);
    expect(anew.get('load', 'child')).toEqual({ nodes: {}, collapsed: ['group'] });
    expect(anew.get('load', 'toString')).toBeUndefined();
    expect(anew.get('etl', '')).toBeUndefined();
    anew.remove('load');
    expect(existsSync(path.join(folder, 'layouts', 'load.json'))).toBe(false);
  });

  test('drop what the file no longer has', () => {
    const layouts = new Layouts(makeTemporaryFolder());
    const place = { x: 0, y: 0 };
    layouts.prune('etl', new Map());
    layouts.put('etl', '', { nodes: { a: place, b: place }, collapsed: ['group'] });
    layouts.put('etl', 'child', { nodes: { c: place } });
    layouts.prune('etl', new Map([['', new Set(['b', 'd'])]]));
    expect(layouts.get('etl', '')).toEqual({ nodes: { b: place }, collapsed: ['group'] });
    expect(layouts.get('etl', 'child')).toBeUndefined();
  });

  test('are limited', () => {
    const layouts = new Layouts(makeTemporaryFolder());
    const nodes = { ['x'.repeat(3 * 1024 * 1024)]: { x: 0, y: 0 } };
    expect(error(() => layouts.put('etl', '', { nodes }))).toMatchObject({ code: 'bad_request' });
    expect(layouts.get('etl', '')).toBeUndefined();
  });
});
