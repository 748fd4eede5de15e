import { beforeEach, describe, expect, it } from 'vitest';
import type { DesktopMessage } from '../../core/contract/desktop-calls.ts';
import type { Engine } from '../../core/index.ts';
import { type Pty, type PtyRequest, Terminals } from '../../main/terminals.ts';
import { systemTerminalCommand } from '../../main/system-services.ts';

class FakePty implements Pty {
  readonly pid = 1;
  process = 'bash';
  data: (data: string) => void = () => {};
  exit: (end: { exitCode: number }) => void = () => {};
  readonly calls: string[] = [];
  onData = (listener: (data: string) => void) => void (this.data = listener);
  onExit = (listener: (end: { exitCode: number }) => void) => void (this.exit = listener);
  write = (data: string) => void this.calls.push(`write ${data}`);
  resize = (columns: number, rows: number) => void this.calls.push(`resize ${columns} ${rows}`);
  kill = (signal?: string) => void this.calls.push(`kill ${signal}`);
  pause = () => void this.calls.push('pause');
  resume = () => void this.calls.push('resume');
}

let pty: FakePty;
let asked: PtyRequest[];
let told: DesktopMessage[];
let terminals: Terminals;
const options = { place: { name: 'etl', dagRunId: 'latest', step: 'load' }, columns: 80, rows: 24 };

beforeEach(() => {
  [pty, asked, told] = [new FakePty(), [], []];
  const engine = {
    api: { call: () => Promise.resolve({ name: 'etl', dagRunId: '7' }) },
    locateStep: () =>
      Promise.resolve({ folder: '/srv/etl', environment: { TOKEN: 'x' }, shell: '/bin/bash' }),
    locateWorkflow: (fileName: string) =>
      Promise.resolve({ folder: `/srv/${fileName}`, environment: {}, shell: '/bin/zsh' }),
  } as unknown as Pick<Engine, 'api' | 'locateStep' | 'locateWorkflow'>;
  terminals = new Terminals(
    engine,
    (request) => {
      asked.push(request);
      return Promise.resolve(pty);
    },
    (message) => told.push(message),
  );
});

it('starts a shell in the working directory of the step, and connects both ends', async () => {
  const { id, title, folder } = await terminals.start(options);
  expect({ title, folder }).toEqual({ title: 'load', folder: '/srv/etl' });
  expect(asked).toEqual([
    { program: '/bin/bash', folder: '/srv/etl', environment: { TOKEN: 'x' }, columns: 80, rows: 24 },
  ]);
  terminals.write(id, 'ls\n');
  terminals.resize(id, 100, 30);
  pty.data('a.txt');
  pty.exit({ exitCode: 3 });
  expect(pty.calls).toEqual(['write ls\n', 'resize 100 30']);
  expect(told).toEqual([
    { kind: 'terminal_output', id, data: 'a.txt' },
    { kind: 'terminal_ended', id, exitCode: 3 },
  ]);
  expect(() => terminals.write(id, 'x')).toThrow('has exited');
});

it('starts where a run of a workflow would start', async () => {
  const { title, folder } = await terminals.start({ place: { fileName: 'sales' }, columns: 80, rows: 24 });
  expect({ title, folder }).toEqual({ title: 'sales', folder: '/srv/sales' });
  expect(asked[0]).toMatchObject({ program: '/bin/zsh', folder: '/srv/sales' });
});

it('applies backpressure to a program that writes faster than the page renders', async () => {
  const { id } = await terminals.start(options);
  pty.data('x'.repeat(200_000));
  pty.data('x'.repeat(100_000));
  expect(pty.calls).toEqual(['pause']);
  terminals.take(id, 100_000);
  expect(pty.calls).toEqual(['pause']);
  terminals.take(id, 100_000);
  expect(pty.calls).toEqual(['pause', 'resume']);
});

it('ends with its tab, and all end with the page', async () => {
  const first = await terminals.start(options);
  await terminals.start(options);
  terminals.close(first.id);
  pty.data('late');
  terminals.closeAll();
  expect(pty.calls).toEqual(['kill SIGHUP', 'kill SIGHUP']);
});

it('lists programs running in the shells', async () => {
  await terminals.start(options);
  expect(terminals.busy).toEqual([]);
  pty.process = '-bash';
  expect(terminals.busy).toEqual([]);
  pty.process = 'vim';
  expect(terminals.busy).toEqual(['vim']);
});

it('opens at most a dozen', async () => {
  for (let index = 0; index < 12; index += 1) await terminals.start(options);
  await expect(terminals.start(options)).rejects.toMatchObject({ code: 'too_many_requests' });
});

describe('system terminal', () => {
  const find = (platform: NodeJS.Platform, programs: readonly string[], chosen?: string) =>
    systemTerminalCommand({ platform, chosen, has: (program) => programs.includes(program) }, '/a b');
  it.each([
    ['linux', ['xterm', 'konsole'], undefined, ['konsole', '--workdir', '/a b']],
    ['linux', ['xterm', 'foot'], 'foot', ['foot']],
    ['linux', ['xterm'], 'gone', ['xterm']],
    ['linux', [], undefined, undefined],
    ['darwin', [], undefined, ['open', '-a', 'Terminal', '/a b']],
    ['win32', ['wt.exe'], undefined, ['wt.exe', '-d', '/a b']],
  ] as const)('on %s with %j, selected %s', (platform, programs, chosen, argv) => {
    expect(find(platform, programs, chosen)).toEqual(argv);
  });
});
