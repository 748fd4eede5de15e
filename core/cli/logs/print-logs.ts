import type { Caller, EngineApi } from '../../api/engine-host.ts';
import type { RunDetailView } from '../../contract/runs/run-views.ts';
import type { Channel } from '../terminal.ts';
import type { LogRef, LogChoice } from './log-ref.ts';
import { openLogWriter } from './log-writer.ts';
import { LogReader } from './read-log.ts';

interface PrintOptions {
  readonly api: EngineApi;
  readonly caller: Caller;
  readonly channel: Channel;
  readonly choice: LogChoice;
}

/** Writes the current contents of logs, one after the other. */
export async function printLogs(logs: readonly LogRef[], options: PrintOptions): Promise<void> {
  for (const address of logs) {
    if (options.channel.closed) return;
    const writer = openLogWriter(options.channel, options.choice, address);
    const reader = new LogReader(options.api, options.caller, address);
    // Logs can be larger than memory, so each is written before the next is read.
    await reader.readNew((bytes) => writer.write(bytes));
    await writer.end();
  }
}

const linesAtOnce = 1000;

/**
 * Writes logs as one JSON object `{name, dagRunId, status, logs: [{step, section, attempt, stream, lines}]}` (with
 * `item` if selected), in chunks for the same reason.
 */
export async function printLogsAsJson(
  run: RunDetailView,
  logs: readonly LogRef[],
  { api, caller, channel }: PrintOptions,
): Promise<void> {
  const { name, dagRunId, status } = run;
  await channel.write(`${JSON.stringify({ name, dagRunId, status }).slice(0, -1)},"logs":[`);
  for (const [index, address] of logs.entries()) {
    const { step, section, attempt, item, stream } = address;
    const head = JSON.stringify({ step, section, attempt, item, stream }).slice(0, -1);
    await channel.write(`${index > 0 ? ',' : ''}${head},"lines":[`);
    await writeLines(api, caller, channel, address);
    await channel.write(']}');
  }
  await channel.write(']}\n');
}

async function writeLines(api: EngineApi, caller: Caller, channel: Channel, address: LogRef): Promise<void> {
  for (let from = 0; !channel.closed;) {
    const page = await api.call('logs.lines', { ...address, from, count: linesAtOnce }, caller);
    const texts = page.lines.map((line) => JSON.stringify(line)).join(',');
    if (texts !== '') await channel.write(`${from > 0 ? ',' : ''}${texts}`);
    from += page.lines.length;
    if (page.lines.length === 0 || (page.estimated === undefined && from >= page.totalLines)) return;
  }
}
