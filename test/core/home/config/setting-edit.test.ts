import { expect, test } from 'vitest';
import { editQueueLimit } from '../../../../core/home/config/setting-edit.ts';

const file = `# Our installation
queues:
  enabled: true
  config:
    # Loads the warehouse.
    - name: etl
      maxConcurrency: 2 # agreed with ops
    - { name: mail, maxActiveRuns: 5 }
history:
  retentionDays: 30
`;

test('changes one limit and nothing else', () => {
  expect(editQueueLimit(file, { queue: 'etl', limit: 4 })).toBe(
    file.replace('maxConcurrency: 2', 'maxConcurrency: 4'),
  );
  expect(editQueueLimit(file, { queue: 'mail', limit: 1 })).toBe(
    file.replace('maxActiveRuns: 5', 'maxActiveRuns: 1'),
  );
});

test('adds a queue in the style of the others', () => {
  expect(editQueueLimit(file, { queue: 'reports', limit: 3 })).toBe(
    file.replace('5 }\n', '5 }\n    - name: reports\n      maxConcurrency: 3\n'),
  );
});

test.each([
  ['an empty file', '', 'queues:\n  config:\n    - name: etl\n      maxConcurrency: 2\n'],
  [
    'a file without queues',
    '# mine\nskipExamples: true\n',
    '# mine\nskipExamples: true\nqueues:\n  config:\n    - name: etl\n      maxConcurrency: 2\n',
  ],
])('adds the first queue to %s', (_what, before, after) => {
  expect(editQueueLimit(before, { queue: 'etl', limit: 2 })).toBe(after);
});

test('removes every item of the queue', () => {
  const twice =
    'queues:\n  config:\n    - { name: a, maxConcurrency: 1 }\n    - { name: b, maxConcurrency: 1 }\n    - { name: a, maxConcurrency: 2 }\n';
  expect(editQueueLimit(twice, { queue: 'a', limit: undefined })).toBe(
    'queues:\n  config:\n    - { name: b, maxConcurrency: 1 }\n',
  );
  expect(editQueueLimit(file, { queue: 'unknown', limit: undefined })).toBe(file);
});

test('rejects invalid YAML', () => {
  expect(() => editQueueLimit('queues: [', { queue: 'a', limit: 1 })).toThrow(
    'Cannot change the limit of queue "a" in the configuration file.',
  );
});
