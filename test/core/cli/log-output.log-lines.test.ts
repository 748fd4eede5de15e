import { expect, test } from 'vitest';
import { commandLogger, hostLogger, serverLogger, type LogFormat } from '../../../core/cli/log-output.ts';
import { FakeClock } from '../../harness/fakes.ts';
import { openMemoryChannel } from '../../harness/home-and-command.ts';

function openLines() {
  const { stdout, stderr } = { stdout: openMemoryChannel(), stderr: openMemoryChannel() };
  const clock = new FakeClock(Date.UTC(2026, 0, 2, 3, 4, 5));
  return { stderr, context: { terminal: { stdout, stderr, interactive: false }, clock } };
}

test('a server writes one JSON object per line if configured, and separates fields of the same name', () => {
  const { stderr, context } = openLines();
  serverLogger(context, 'json').info('ready\nto go', { port: 1, level: 'mine' });
  serverLogger(context, 'text').warn('late', { port: 1 });
  const [json, text] = stderr.text.trimEnd().split('\n');
  expect(JSON.parse(json!)).toEqual({
    port: 1,
    time: '2026-01-02T03:04:05.000Z',
    level: 'info',
    message: 'ready\nto go',
  });
  expect(text).toMatch(/ warning late port=1$/);
});

test('a long-running process applies its logging configuration once it is loaded', () => {
  const { stderr, context } = openLines();
  let format: LogFormat = 'text';
  const logger = hostLogger(context, () => format);
  logger.warn('before');
  format = 'json';
  logger.info('not shown');
  logger.error('after');
  const [before, after] = stderr.text.trimEnd().split('\n');
  expect(before).toBe('engine: warning: before');
  expect(JSON.parse(after!)).toMatchObject({ level: 'error', message: 'after' });
});

test('a one-shot command writes for people', () => {
  const { stderr, context } = openLines();
  commandLogger(context).info('not shown');
  commandLogger(context).error('shown', { n: 1 });
  expect(stderr.text).toBe('engine: error: shown n=1\n');
});
