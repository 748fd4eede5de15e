import { describe, expect, it, vi } from 'vitest';
import type { Engine } from '../../../core/engine.ts';
import { AppError } from '../../../core/base/errors.ts';
import type { CommandContext, StopSignal } from '../../../core/cli/command-context.ts';
import { stopOnSignal } from '../../../core/cli/signals.ts';
import type { RunRef } from '../../../core/model/run.ts';
import { FakeClock } from '../../harness/fakes.ts';
import { openMemoryChannel } from '../../harness/home-and-command.ts';

const run = { name: 'etl', dagRunId: 'r1' };

/** A watch over a run whose stop is answered by `answerStop`; the test sends signals. */
function watch(answerStop: () => Promise<unknown>) {
  const clock = new FakeClock();
  const stderr = openMemoryChannel();
  const listeners = new Set<(signal: StopSignal) => void>();
  const context = {
    clock,
    terminal: { stdout: openMemoryChannel(), stderr, interactive: false },
    onSignal(listener: (signal: StopSignal) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as CommandContext;
  const call = vi.fn<(...words: unknown[]) => Promise<unknown>>(answerStop);
  const forceStop = vi.fn<(run: RunRef) => void>();
  const host = { api: { call }, forceStop } as unknown as Engine;
  const signals = stopOnSignal(context, host, run);
  const send = (signal: StopSignal): void => listeners.forEach((listener) => listener(signal));
  return { clock, stderr, call, forceStop, signals, send, listeners };
}

describe('stopOnSignal', () => {
  it('stops the run once, recording the signal', () => {
    const { send, call, forceStop, signals, stderr } = watch(() => Promise.resolve(run));
    expect(signals.received).toBeUndefined();
    send('SIGTERM');
    expect(signals.received).toBe('SIGTERM');
    expect(call.mock.calls).toEqual([['runs.stop', run, { via: 'cli', name: 'SIGTERM' }]]);
    expect(forceStop).not.toHaveBeenCalled();
    expect(stderr.text).toBe('engine: SIGTERM: stopping run r1 of etl (repeat to kill its processes)\n');
  });

  it('treats a signal right after the first as its echo, a later one as force', () => {
    const { clock, send, call, forceStop, signals } = watch(() => Promise.resolve(run));
    send('SIGINT');
    clock.advance(249);
    send('SIGTERM');
    expect(forceStop).not.toHaveBeenCalled();
    clock.advance(1);
    send('SIGTERM');
    expect(forceStop.mock.calls).toEqual([[run]]);
    expect(signals.received).toBe('SIGINT');
    expect(call).toHaveBeenCalledTimes(1);
  });

  it('succeeds when the run has just ended by itself', async () => {
    const { send, forceStop, stderr } = watch(() => Promise.reject(new AppError('not_running', 'over')));
    send('SIGINT');
    await new Promise(setImmediate);
    expect(forceStop).not.toHaveBeenCalled();
    expect(stderr.text.split('\n')).toHaveLength(2);
  });

  it('kills the processes when the stop cannot be recorded', async () => {
    const { send, forceStop, stderr } = watch(() =>
      Promise.reject(new AppError('storage_full', 'the disk is full')),
    );
    send('SIGINT');
    await new Promise(setImmediate);
    expect(forceStop.mock.calls).toEqual([[run]]);
    expect(stderr.text).toContain('the disk is full');
  });

  it('ignores signals after the end, so that none overrides the exit code', async () => {
    const { signals, send, call, forceStop, stderr, listeners } = watch(() => Promise.resolve(run));
    signals.close();
    send('SIGINT');
    await new Promise(setImmediate);
    expect(listeners.size).toBe(1);
    expect([call.mock.calls, forceStop.mock.calls, stderr.text, signals.received]).toEqual([
      [],
      [],
      '',
      undefined,
    ]);
  });
});
