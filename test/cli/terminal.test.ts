import { spawn, type IPty } from 'node-pty';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  engineArguments,
  engineEnvironment,
  makeTestHome,
  saveDag,
  waitForText,
  type TestHome,
} from '../harness/home-and-command.ts';

interface Screen {
  readonly pty: IPty;
  readonly ended: Promise<number>;
  text(): string;
}

/** Starts the built command on its own terminal. */
function startOnTerminal(place: TestHome, args: readonly string[], rows = 24): Screen {
  const env = engineEnvironment(place, { TERM: 'xterm-256color' }) as Record<string, string>;
  const pty = spawn(process.execPath, engineArguments(args), { cwd: place.cwd, env, cols: 100, rows });
  let text = '';
  pty.onData((data) => (text += data));
  const ended = new Promise<number>((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode)));
  onTestFinished(async () => {
    if (!(await Promise.race([ended.then(() => true), Promise.resolve(false)]))) pty.kill('SIGKILL');
    await ended;
  });
  return { pty, ended, text: () => text };
}

describe('engine on a terminal', () => {
  it('draws the steps while they run, then leaves the summary and the cursor', async () => {
    const place = makeTestHome();
    saveDag(
      place,
      'etl',
      'steps:\n  - name: extract\n    command: sleep 0.3\n  - name: load\n    command: echo\n',
    );
    const screen = startOnTerminal(place, ['start', 'etl']);
    expect(await screen.ended).toBe(0);
    const text = screen.text();
    expect(text).toContain('\u001B[?25l');
    expect(text.lastIndexOf('\u001B[?25h')).toBeGreaterThan(text.lastIndexOf('\u001B[?25l'));
    expect(text).toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]\S* extract/);
    expect(text.slice(text.lastIndexOf('\u001B[?25h'))).toMatch(/Status.*✔ succeeded/);
  });

  it('asks for required parameters that are missing, secrets without echo', async () => {
    const place = makeTestHome();
    saveDag(
      place,
      'release',
      `params:
  - { name: env, enum: [dev, prod], required: true, description: Where to }
  - { name: token, type: string, format: password, required: true }
steps:
  - test "$env/$token" = prod/hush
`,
    );
    const screen = startOnTerminal(place, ['start', 'release']);
    await waitForText(() => screen.text(), /env \(dev, prod\): /);
    screen.pty.write('qa\r');
    await waitForText(() => screen.text(), /Enter one of: dev, prod\./);
    screen.pty.write('prod\r');
    await waitForText(() => screen.text(), /token: /);
    screen.pty.write('hush\r');
    expect(await screen.ended).toBe(0);
    expect(screen.text()).toContain('Where to');
    expect(screen.text().split('Enter one of')[1]!.split('started')[0]).not.toContain('hush');
  });

  it('falls back to plain lines when the screen is too small', async () => {
    const place = makeTestHome();
    saveDag(place, 'etl', 'steps:\n  - name: extract\n    command: echo\n');
    const screen = startOnTerminal(place, ['start', 'etl'], 5);
    expect(await screen.ended).toBe(0);
    expect(screen.text()).toContain('step extract started');
    expect(screen.text()).not.toContain('\u001B[?25l');
  });

  it('stops on Ctrl-C, reports it above the steps, and prints the result', async () => {
    const place = makeTestHome();
    saveDag(place, 'long', 'steps:\n  - name: work\n    command: sleep 600\n');
    const screen = startOnTerminal(place, ['long']);
    await waitForText(screen.text, /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]\S* work/);
    screen.pty.write('\u0003');
    expect(await screen.ended).toBe(130);
    expect(screen.text()).toContain('engine: SIGINT: stopping run');
    expect(screen.text().slice(screen.text().lastIndexOf('\u001B[?25h'))).toMatch(/Status.*■ aborted/);
  });

  it('filters workflows by a part of the name', async () => {
    const place = makeTestHome();
    saveDag(place, 'alpha', 'steps:\n  - echo\n');
    saveDag(place, 'backup', 'description: Saves the database\nsteps:\n  - echo\n');
    const screen = startOnTerminal(place, []);
    await waitForText(screen.text, /alpha/);
    screen.pty.write('datab');
    await waitForText(screen.text, /datab/);
    screen.pty.write('\r');
    expect(await screen.ended).toBe(0);
    expect(screen.text()).toMatch(/Run .*backup/);
  });

  it('cancels the selection on Ctrl-C', async () => {
    const place = makeTestHome();
    saveDag(place, 'alpha', 'steps:\n  - echo\n');
    const screen = startOnTerminal(place, []);
    await waitForText(screen.text, /alpha/);
    screen.pty.write('\u0003');
    expect(await screen.ended).toBe(130);
  });
});
