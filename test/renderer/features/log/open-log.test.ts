import { expect, test } from 'vitest';
import { findRelevantStream } from '../../../../renderer/features/log/open-log.tsx';

test.each([
  ['running', undefined, { stdout: undefined, stderr: 3 }, 'stdout'],
  ['failed, still counting', { failed: true }, { stdout: 0, stderr: undefined }, undefined],
  ['failed with an error', { failed: true }, { stdout: 9, stderr: 1 }, 'stderr'],
  ['failed without stderr', { failed: true }, { stdout: 9, stderr: 0 }, 'stdout'],
  ['succeeded with warnings', { failed: false }, { stdout: 9, stderr: 1 }, 'stdout'],
  ['succeeded with stderr only', { failed: false }, { stdout: 0, stderr: 1 }, 'stderr'],
] as const)('an attempt that is %s opens the stream with its cause or output', (_, end, lines, stream) => {
  expect(findRelevantStream(end, lines)).toBe(stream);
});
