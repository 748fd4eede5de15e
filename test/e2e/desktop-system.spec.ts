import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type ElectronApplication } from '@playwright/test';
import { openTerminal, takeScreenshots, sharedTest, test } from './rig/desktop-test.ts';
import { WebUi } from './rig/web-ui.ts';

/** What a second start with these arguments hands to the app. */
const startWith = ({ app }: { readonly app: ElectronApplication }, words: readonly string[]): Promise<void> =>
  app.evaluate(
    ({ app: electronApp }, argv) =>
      void electronApp.emit('second-instance', {}, [process.execPath, '.', ...argv], '/', undefined),
    [...words],
  );

sharedTest('links and files are shown, never run', async ({ desktop, ui, testHome }) => {
  const { window } = desktop;
  await startWith(desktop, ['stepwright://dag/sales-etl.yaml#L3']);
  await expect.poll(() => ui.place()).toContain('/dags/sales-etl/edit');
  await startWith(desktop, ['stepwright://start/sales-etl']);
  await expect(window.getByText(/Could not open the link/)).toBeVisible();

  const file = path.join(testHome.home, 'other.dag.yaml');
  writeFileSync(file, 'steps:\n  - command: touch ran\n');
  await startWith(desktop, [file]);
  await expect(window.getByRole('heading', { name: 'New workflow' })).toBeVisible();
  await expect(window.getByText('touch ran').first()).toBeVisible();
  expect(existsSync(path.join(testHome.home, 'ran'))).toBe(false);
});

sharedTest(
  'a terminal opens in the working directory of a step, and ends with its tab',
  async ({ desktop, ui }) => {
    await ui.run('sales-etl', { PACE: '0.01' });
    await ui.expectRunStatus('Succeeded');
    const terminal = await openTerminal(desktop.window);
    await terminal.type('echo "step: $DAG_RUN_ID" | wc -c > /dev/null; echo sum-$((40+2))\n');
    await expect(terminal.text).toContainText('sum-42');
    await terminal.close();
    await expect(terminal.panel).toHaveCount(0);
  },
);

sharedTest('the system section shows the current state', async ({ desktop, ui, testHome }) => {
  const { window } = desktop;
  await ui.goTo('Settings');
  const section = window.getByRole('region', { name: 'System', exact: true });
  await expect(section.getByText('Run engine as a background service')).toBeVisible();
  await expect(window.getByText(/Development build/)).toBeVisible();
  expect(existsSync(path.join(testHome.home, 'desktop', 'keychain.json'))).toBe(false);
});

sharedTest('a keychain secret reaches a run and is never shown again', async ({ desktop, ui, testHome }) => {
  const { window } = desktop;
  testHome.saveWorkflow(
    'guarded',
    'secrets:\n  - { name: TOKEN, provider: keychain, key: db }\nsteps:\n  - name: show\n    command: echo "it is $TOKEN"\n',
  );
  await ui.goTo('Secrets');
  await window.getByRole('button', { name: 'Add secret…' }).click();
  const dialog = window.getByRole('dialog', { name: 'Add secret' });
  await dialog.getByLabel('Name', { exact: true }).fill('db');
  await dialog.getByLabel('Value', { exact: true }).fill('hunter2-secret');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(window.getByRole('table', { name: 'Secrets' })).toContainText('db');
  await expect(window.getByText(/No system keychain found/)).toBeVisible();
  const sealed = readFileSync(path.join(testHome.home, 'data', 'secrets.json'), 'utf8');
  expect(sealed).not.toContain('hunter2');
  await expect(window.getByText('hunter2-secret')).toHaveCount(0);
  await ui.goTo('Workflows');
  await ui.run('guarded');
  await ui.expectRunStatus('Succeeded');
  await ui.openLog('show');
  await expect(ui.log).toContainText('it is *******');
});

sharedTest('a configured proxy reaches the steps of the next run', async ({ desktop, ui, testHome }) => {
  const { window } = desktop;
  testHome.saveWorkflow('asks', `steps:\n  - name: show\n    command: echo "proxy is $https_proxy."\n`);
  await ui.goTo('Settings');
  const section = window.getByRole('region', { name: 'Network' });
  await section.getByText('Manual', { exact: true }).click();
  await section.getByLabel('Proxy URL').fill('http://proxy.example:3128');
  await section.getByLabel('Bypass proxy for').fill('localhost');
  await section.getByText('Proxy', { exact: true }).click();
  await section.scrollIntoViewIfNeeded();
  await takeScreenshots(window, 'network');
  const show = async (): Promise<void> => {
    await ui.goTo('Workflows');
    await ui.run('asks');
    await ui.expectRunStatus('Succeeded');
    await ui.openLog('show');
  };
  await show();
  await expect(ui.log).toContainText('proxy is http://proxy.example:3128.');
  await ui.goTo('Settings');
  await section.getByRole('switch', { name: 'Use proxy in steps' }).press('Space');
  await expect(section.getByRole('switch', { name: 'Use proxy in steps' })).not.toBeChecked();
  await show();
  await expect(ui.log).toContainText('proxy is .');
  await ui.goTo('Settings');
  await section.getByText('System', { exact: true }).click();
  await expect(section.getByLabel('Proxy URL')).toHaveCount(0);
});

/** A fake systemctl: accepts every call, and reports an installed service as running. */
const systemctl = `#!/bin/sh
case "$*" in *show*) ;; *) exit 0 ;; esac
if ls "$XDG_CONFIG_HOME"/systemd/user/*.service > /dev/null 2>&1
then printf 'LoadState=loaded\\nActiveState=active\\nUnitFileState=enabled\\n'
else printf 'LoadState=not-found\\nActiveState=inactive\\nUnitFileState=\\n'
fi
`;

/** The environment of an app that uses the fake systemctl, and its unit folder. */
function withSystemd({ folder }: { readonly folder: string }) {
  const config = path.join(folder, 'config');
  const programs = path.join(folder, 'programs');
  mkdirSync(programs);
  writeFileSync(path.join(programs, 'systemctl'), systemctl, { mode: 0o755 });
  const env = { XDG_CONFIG_HOME: config, PATH: `${programs}${path.delimiter}${process.env['PATH']}` };
  return { env, config };
}

if (process.platform === 'linux') {
  test('the settings switch the service and start at login on and off; a receiver is reachable only with the service', async ({
    launch,
    testHome,
  }) => {
    const { env, config } = withSystemd(testHome);
    const findUnit = (): string | undefined => {
      const folder = path.join(config, 'systemd/user');
      return existsSync(folder) ? readdirSync(folder).find((name) => name.endsWith('.service')) : undefined;
    };
    const { window } = await launch(env);
    await new WebUi(window).goTo('Settings');
    const service = window.getByRole('switch', { name: 'Run engine as a background service' });
    // It is disabled until the app has reported its state, which a click does not wait for.
    await expect(service).toBeEnabled();
    await service.press('Space');
    await expect(service).toBeChecked();
    await expect(window.getByText(/stepwright-\S+\.service \(systemd\): running/)).toBeVisible();
    expect(readFileSync(path.join(config, 'systemd/user', findUnit()!), 'utf8')).toContain(testHome.home);
    await expect(service).toBeEnabled();
    await service.press('Space');
    await expect(service).not.toBeChecked();
    expect(findUnit()).toBeUndefined();

    const login = window.getByRole('switch', { name: 'Start at login' });
    await login.press('Space');
    await expect(login).toBeChecked();
    const [entry] = readdirSync(path.join(config, 'autostart'));
    expect(readFileSync(path.join(config, 'autostart', entry!), 'utf8')).toContain('--hidden');
    await login.press('Space');
    await expect(login).not.toBeChecked();
    expect(readdirSync(path.join(config, 'autostart'))).toEqual([]);

    await new WebUi(window).goTo('Webhooks');
    await window.getByRole('tab', { name: 'Received' }).click();
    await window.getByRole('button', { name: 'New receiver…' }).click();
    const form = window.getByRole('dialog', { name: 'New receiver' });
    await form.getByRole('textbox', { name: 'Name' }).fill('forge');
    await form.getByRole('textbox', { name: 'Secret', exact: true }).fill('between us');
    await form.getByRole('button', { name: 'Create receiver' }).click();
    const receiver = window.getByRole('region', { name: 'Receiver forge' });
    await expect(receiver.getByText(/^http.*\/webhooks\//)).toBeVisible();
    const notice = receiver.getByRole('note');
    await expect(notice).toContainText('The desktop app does not listen on a port');
    await takeScreenshots(window, 'receiver-notice');
    await notice.getByRole('button', { name: 'Run as a service' }).click();
    await expect(notice).toHaveCount(0);
    await takeScreenshots(window, 'receiver-reachable');
  });
}
