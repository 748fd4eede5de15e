import { describe, expect, it } from 'vitest';
import { LineWriter } from '../../../core/cli/log-output.ts';
import { openMemoryChannel } from '../../harness/home-and-command.ts';

describe('LineWriter', () => {
  it('prefixes each line, however the bytes are split', async () => {
    const channel = openMemoryChannel();
    const writer = new LineWriter(channel, 'a | ');
    for (const piece of ['o', 'ne\n\ntw', 'o\nth', 'ree']) await writer.write(Buffer.from(piece));
    expect(channel.text).toBe('a | one\na | \na | two\n');
    await writer.end();
    await writer.end();
    expect(channel.text).toBe('a | one\na | \na | two\na | three\n');
  });

  it('does not break characters split across two chunks', async () => {
    const channel = openMemoryChannel();
    const writer = new LineWriter(channel, '');
    const bytes = Buffer.from('né\n');
    await writer.write(bytes.subarray(0, 2));
    await writer.write(bytes.subarray(2));
    expect(channel.text).toBe('né\n');
  });

  it('breaks an endless line before it fills memory', async () => {
    const channel = openMemoryChannel();
    const writer = new LineWriter(channel, '> ');
    for (let index = 0; index < 3; index += 1) await writer.write(Buffer.alloc(700_000, 'x'));
    expect(channel.text.length).toBe(1_400_000 + 3);
  });
});
