import { expect, test } from 'vitest';
import type { Analysis } from '../../../../core/edit/build-outline.ts';
import { DocumentClient } from '../../../../renderer/editor/session/document-client.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { HeldDocumentWorker } from '../editor-harness.tsx';

function openClient(first: string) {
  const clock = new FakeClock();
  const worker = new HeldDocumentWorker();
  const shown: string[] = [];
  const client = new DocumentClient(first, {
    ...{ clock, worker, file: 'etl.yaml', kind: 'workflow' },
    onAnalysis: ({ text }: Analysis) => shown.push(text),
    onFailure: (failure) => expect.unreachable(String(failure)),
  });
  return { clock, worker, shown, client };
}

test('the first key is analyzed without a pause, the following ones together', async () => {
  const { clock, worker, shown, client } = openClient('');
  await worker.answer();
  client.setText('a', true);
  expect(worker.asked).toEqual(['', 'a']);
  await worker.answer();
  expect(shown).toEqual(['', 'a']);
  for (const text of ['ab', 'abc', 'abcd']) {
    clock.advance(20);
    client.setText(text, true);
  }
  expect(worker.asked).toEqual(['', 'a']);
  clock.advance(50);
  expect(worker.asked).toEqual(['', 'a', 'abcd']);
  await worker.answer();
  expect(shown).toEqual(['', 'a', 'abcd']);
});

test('a version is not analyzed again after its pause', async () => {
  const { clock, worker, client } = openClient('');
  await worker.answer();
  client.setText('a', true);
  await worker.answer();
  clock.advance(500);
  expect(worker.asked).toEqual(['', 'a']);
});

test('one analysis runs at a time, followed by the newest text', async () => {
  const { clock, worker, shown, client } = openClient('a');
  clock.advance(60);
  client.setText('ab', true);
  clock.advance(60);
  client.setText('abc', true);
  clock.advance(60);
  expect(worker.asked).toEqual(['a']);
  await worker.answer();
  expect(shown).toEqual([]);
  expect(worker.asked).toEqual(['a', 'abc']);
  await worker.answer();
  expect(shown).toEqual(['abc']);
});

test('a text that is typed and removed again during a pause is analyzed', async () => {
  const { clock, worker, shown, client } = openClient('a');
  await worker.answer();
  client.setText('ab', true);
  await worker.answer();
  client.setText('abc', true);
  client.setText('ab', true);
  clock.advance(60);
  await worker.answer();
  expect(shown).toEqual(['a', 'ab', 'ab']);
});

test('an edit is computed again when the text changes meanwhile', async () => {
  const { client } = openClient('steps:\n  - name: one\n');
  const edit = client.computeEdit({
    ...{ kind: 'rename-step', step: { section: 'step', name: 'one' }, name: 'uno' },
  });
  client.setText('# head\nsteps:\n  - name: one\n', true);
  expect(await edit).toMatchObject({ ok: true, changes: [{ from: 24, to: 27, insert: 'uno' }] });
});
