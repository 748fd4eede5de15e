import { expect, test } from 'vitest';
import { readEditable } from '../../../../core/edit/yaml/editable-text.ts';
import { ReadAhead } from '../../../../renderer/editor/session/analysis-feed.ts';
import { FakeClock } from '../../../harness/fakes.ts';

const long = `steps:\n${Array.from({ length: 2000 }, (_, step) => `  - echo "step ${step} of many"\n`).join('')}`;

test('a long text is parsed in slices after a pause, and only the newest of several', () => {
  const clock = new FakeClock();
  const ahead = new ReadAhead(clock);
  const asked: string[] = [];
  const watch = (name: string, text: string) => {
    const editable = readEditable(text);
    return Object.defineProperty(editable, 'text', { get: () => (asked.push(name), text) });
  };
  ahead.take(watch('first', long));
  clock.advance(300);
  ahead.take(watch('second', `# later\n${long}`));
  asked.length = 0;
  clock.advance(300);
  expect(asked).toEqual([]);
  clock.advance(200);
  expect(new Set(asked)).toEqual(new Set(['second']));
  ahead.close();
});
