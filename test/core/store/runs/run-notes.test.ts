import { oneByOne } from '../../../harness/resources.ts';
import { expect, it } from 'vitest';
import type { RunSearch } from '../../../../core/store/types/runs.ts';
import { describeOnStores } from '../../../harness/databases.ts';
import { createOwnedRun, openTestStore } from '../store-harness.ts';

describeOnStores('note of a run', () => {
  it('is part of its details, with author, time and an event for each change, and is deleted with it', async () => {
    const store = openTestStore();
    const { run, write } = await createOwnedRun(store);
    const { key: runKey } = run;
    const read = async () => ({
      note: (await store.getDetail(run))!.note,
      excerpt: (await store.findRun(run))!.noteExcerpt,
    });
    expect(await read()).toEqual({});
    const text = `Übel ${'x'.repeat(300)}`;
    const note = { text, author: 'ann', at: 5 };
    expect(await store.setNote({ runKey, text, by: 'ann' }, 5)).toEqual(note);
    expect(await store.setNote({ runKey, text, by: 'bob' }, 6)).toEqual(note);
    expect(await read()).toEqual({ note, excerpt: text.slice(0, 200) });
    expect(await store.setNote({ runKey, text: 'fine', by: 'bob' }, 7)).toEqual({
      text: 'fine',
      author: 'bob',
      at: 7,
    });
    expect(await store.setNote({ runKey, text: '', by: 'ann' }, 8)).toBeUndefined();
    expect(await read()).toEqual({});
    const changes = (await store.listEvents(0, 100, run)).filter(
      ({ event }) => event.type === 'run.note_changed',
    );
    expect(changes.map(({ at, event }) => [at, 'by' in event && event.by])).toEqual([
      [5, 'ann'],
      [7, 'bob'],
      [8, 'ann'],
    ]);
    await store.setNote({ runKey, text: 'again', by: 'ann' }, 9);
    await write([{ type: 'run.finished', status: 'failed', outputs: {} }]);
    await store.deleteRun(run);
    await expect(() => store.setNote({ runKey, text: 'x', by: 'ann' }, 10)).rejects.toThrow(
      'The run has been deleted.',
    );
  });

  it('is found by its text, and selects runs in pages together with other filters', async () => {
    const store = openTestStore();
    const runs = await oneByOne(
      ['a', 'b', 'a', 'a', 'b', 'a'],
      async (name) => (await createOwnedRun(store, { name })).run,
    );
    for (const [index, { key: runKey }] of runs.entries())
      if (index % 2 === 0) await store.setNote({ runKey, text: `Ticket ${index}`, by: 'ann' }, 5);
    const find = (search: Partial<RunSearch>) => store.searchRuns({ limit: 10, ...search });
    const numbers = async (search: Partial<RunSearch>) =>
      (await find(search)).runs.map(({ key }) => runs.findIndex((run) => run.key === key));
    expect(await numbers({ hasNote: true })).toEqual([4, 2, 0]);
    expect(await numbers({ hasNote: false })).toEqual([5, 3, 1]);
    expect(await numbers({ hasNote: true, name: 'a', createdFrom: 0 })).toEqual([2, 0]);
    expect(await numbers({ text: 'ticket 4' })).toEqual([4]);
    const { next, runs: first } = await find({ hasNote: true, limit: 2 });
    expect(first).toHaveLength(2);
    expect(await numbers({ hasNote: true, limit: 2, ...(next && { after: next }) })).toEqual([0]);
  });
});
