import type { Page } from 'playwright';
import {
  mockResponse,
  chooseFromMenu,
  clickButton,
  waitForDialog,
  type SampleRuns,
  runHash,
  type Scene,
  waitForGraph,
} from './scenes.ts';
import { invalidWorkflow } from './seed.ts';

const openView =
  (view: 'Canvas' | 'Split' | 'Code') =>
  async (page: Page): Promise<void> => {
    await page.getByRole('radio', { name: view }).click();
    await (view === 'Code' ? page.locator('.cm-content').waitFor() : waitForGraph(page));
  };

const canvasButton =
  (name: string) =>
  async (page: Page): Promise<void> => {
    await openView('Canvas')(page);
    await page.getByRole('button', { name }).click();
  };

const pastes =
  (field: string, text: string) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('textbox', { name: field, exact: true }).fill(text);
    await page
      .getByText(/steps?$/)
      .first()
      .waitFor();
  };

const crontab = `# Back up the database
30 6 * * 1-5 /usr/local/bin/backup.sh
*/15 * * * * /usr/local/bin/poll.sh >/dev/null
@reboot /usr/local/bin/warm-up.sh
`;
const makefile = `# Build and test
all: test

test: build
\tnpm test

# Compile
build:
\tnpm run build
`;
const script = `#!/bin/sh
set -e

# Fetch
curl -fsS -o data.csv https://example.com/data.csv

# Count
wc -l data.csv
`;

/** Ways to create a workflow, and the editor in its states. */
export const newWorkflowScenes = (): readonly Scene[] => [
  { name: 'new-blank', hash: '/new/blank' },
  { name: 'new-shell', hash: '/new/shell', prepare: pastes('Script', script) },
  { name: 'new-crontab', hash: '/new/crontab', prepare: pastes('Crontab', crontab) },
  { name: 'new-makefile', hash: '/new/makefile', prepare: pastes('Makefile', makefile) },
  { name: 'new-yaml', hash: '/new/yaml', prepare: pastes('Workflow file', invalidWorkflow) },
  { name: 'editor-code', hash: '/dags/sales-etl/edit', prepare: openView('Code') },
  { name: 'editor-split', hash: '/dags/sales-etl/edit', prepare: openView('Split') },
  { name: 'editor-palette', hash: '/dags/sales-etl/edit', prepare: canvasButton('Add step') },
  { name: 'editor-keys', hash: '/dags/sales-etl/edit', prepare: canvasButton('Keyboard shortcuts') },
  { name: 'editor-search', hash: '/dags/sales-etl/edit', prepare: canvasButton('Search graph') },
  {
    name: 'editor-broken',
    hash: '/dags/misspelt/edit',
    prepare: async (page) => {
      await openView('Split')(page);
      await page.getByRole('button', { name: /^Problems/ }).click();
    },
  },
  { name: 'workflow-broken', hash: '/dags/misspelt' },
  { name: 'workflow-lost', hash: '/dags/gone' },
];

const opensLogTool =
  (name: string) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('log').first().waitFor();
    await page.getByRole('button', { name }).first().click();
  };

/** A run's approval in every view. */
const approvalScenes = ({ approved, asking }: SampleRuns): readonly Scene[] => [
  { name: 'run-asking', hash: runHash(asking), prepare: waitForGraph },
  { name: 'run-asking-timeline', hash: `${runHash(asking)}?view=timeline` },
  { name: 'run-asking-steps', hash: `${runHash(asking)}?view=steps` },
  { name: 'run-approved', hash: `${runHash(approved)}?step=ask`, prepare: waitForGraph },
];

/** Parts of the run page, and its dialogs. */
export const runPageScenes = (cast: SampleRuns): readonly Scene[] => [
  ...approvalScenes(cast),
  ...logAndFileScenes(cast),
];

const logAndFileScenes = ({
  failed,
  succeeded,
  parent,
  withFiles,
  waiting,
}: SampleRuns): readonly Scene[] => [
  { name: 'run-files', hash: `${runHash(withFiles)}?view=files` },
  { name: 'run-files-none', hash: `${runHash(failed)}?view=files` },
  {
    name: 'run-items',
    hash: `${runHash(withFiles)}?step=${encodeURIComponent('resize')}`,
    prepare: waitForGraph,
  },
  { name: 'run-waiting', hash: runHash(waiting), prepare: waitForGraph },
  { name: 'run-sub-runs', hash: `${runHash(parent)}?view=timeline` },
  {
    name: 'log-search',
    hash: `${runHash(succeeded)}?step=split%20north&log=full`,
    prepare: async (page) => {
      await opensLogTool('Search (Ctrl+F)')(page);
      await page.keyboard.type('orders');
    },
  },
  {
    name: 'log-go-to',
    hash: `${runHash(succeeded)}?step=split%20north&log=full`,
    prepare: opensLogTool('Go to line or time'),
  },
  {
    name: 'dialog-mark',
    hash: `${runHash(failed)}?view=steps`,
    prepare: clickButton(/^Mark .* as…$/),
  },
  {
    name: 'toast',
    hash: `${runHash(failed)}?view=steps`,
    prepare: async (page) => {
      await clickButton(/^Mark .* as…$/)(page);
      await page.getByRole('button', { name: /^Mark as/ }).click();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText(/ again\.$/).waitFor();
    },
  },
  {
    name: 'runs-nothing-fits',
    hash: '/runs?text=nothing-like-this',
  },
  { name: 'audit-nothing-fits', hash: '/audit?actor=nobody' },
];

const hookMenu = 'More actions';

/** Operations pages: the gateway, storage, queues, schedules, webhooks. */
export const operationsScenes = (): readonly Scene[] => [
  { name: 'gateway-tables', hash: '/gateway', prepare: waitForTable },
  { name: 'gateway-domains', hash: '/gateway?view=domains' },
  { name: 'gateway-functions', hash: '/gateway?view=functions' },
  {
    name: 'gateway-request',
    hash: '/gateway?view=request&table=public.clients',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('region', { name: 'Response' }).waitFor();
    },
  },
  {
    name: 'gateway-opening',
    hash: '/gateway',
    before: mockResponse(/\/gateway\/catalog/, () => undefined),
    prepare: (page) => page.getByRole('progressbar').waitFor(),
  },
  {
    name: 'system-checked',
    hash: '/system',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Check database' }).click();
      await page.getByText(/^No problems \(/).waitFor();
    },
  },
  { name: 'queue', hash: '/queues?queue=mail' },
  { name: 'dialog-clear-queue', hash: '/queues?queue=mail', prepare: clickButton(/^Clear$/) },
  { name: 'dialog-pause', hash: '/schedule', prepare: chooseFromMenu('Pause…', 'Until…') },
  { name: 'dialog-rotate', hash: '/webhooks', prepare: chooseFromMenu(hookMenu, /^Change secret/) },
  { name: 'dialog-delete-hook', hash: '/webhooks', prepare: chooseFromMenu(hookMenu, /^Delete/) },
  { name: 'dialog-replay', hash: '/webhooks', prepare: chooseFromMenu(hookMenu, /since…$/) },
  { name: 'palette-results', hash: '/runs', prepare: typesInPalette('report') },
];

async function waitForTable(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'table clients' }).waitFor({ timeout: 60_000 });
}

function typesInPalette(text: string): (page: Page) => Promise<void> {
  return async (page) => {
    await page.keyboard.press('Control+k');
    await waitForDialog(page);
    await page.keyboard.type(text);
  };
}
