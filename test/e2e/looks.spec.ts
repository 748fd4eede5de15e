import path from 'node:path';
import { expect, type APIRequestContext, type Page } from '@playwright/test';
import { Account, password } from './rig/web-ui.ts';
import { sharedTest, test } from './rig/browser-test.ts';
import {
  settle,
  findClippedControls,
  findInfiniteAnimations,
  findHorizontalOverflow,
  goToHash,
} from './rig/check-page.ts';
import { ROOT } from './rig/test-home.ts';

/** An unbreakable word, and a name of many words, each longer than 100 characters. */
const longWord = 'unbreakable'.repeat(11);
const longName = `${'a step that has been given a whole sentence as its name '.repeat(2)}by somebody thorough`;
/** The maximum length of file and workflow names. */
const longFile = 'quarterly-reconciliation-of-the-ledgers-of-every-branch-and-of-its-subsidiaries';
const longWorkflow = longFile.slice(0, 40);

const hebrew = 'איסוף הנתונים מכל הסניפים';
const arabic = 'إرسال التقرير إلى المحاسبة';

const longSpec = `name: ${longWorkflow}
group: ${longWord}
description: ${longName}, and ${longWord}
tags: [${longWord}, ${longName.replaceAll(' ', '-')}, finance]
schedule: "7,22,37,52 6-20/2 1,15 * 1-5"
params:
  - FROM: ${longWord}
  - NOTE: ${longName}
type: graph
steps:
  - name: ${longName}
    command: echo ${longWord}
  - name: ${longWord}
    depends: ${longName}
    command: echo "${longName} ${longWord}" >&2; exit 3
  - name: last
    depends: ${longWord}
    command: echo never
`;

const rightToLeftSpec = `description: ${hebrew}, ${arabic}
group: ${hebrew}
tags: [${hebrew.split(' ', 1)[0]}, ${arabic.split(' ', 1)[0]}]
params:
  - NOTE: ${arabic}
type: graph
steps:
  - name: ${hebrew}
    description: ${arabic}
    command: echo "${hebrew}"
  - name: ${arabic}
    depends: ${hebrew}
    command: echo "${arabic}" >&2; exit 1
`;

/** A window of 1280 pixels, and the same at 200 %. */
const windows = [
  { width: 1280, height: 800 },
  { width: 640, height: 400 },
] as const;

/** Screenshots for people to look at, as those of `checkPage`. */
const pictures = process.env['PICTURES'] === 'true' ? path.join(ROOT, 'test-results/pages') : undefined;

/** Findings on one page do not stop the check of the next. */
const softly = expect.configure({ soft: true });

/** Checks the page in windows of every size: nothing scrolls horizontally, and no control is clipped. */
async function expectToFit(page: Page, name: string): Promise<void> {
  for (const size of windows) {
    await page.setViewportSize(size);
    await settle(page);
    if (pictures) await page.screenshot({ path: path.join(pictures, `fit-${name}-${size.width}.png`) });
    const where = `${name} at ${size.width}`;
    // A graph and a list are laid out some frames after they are shown.
    const width = (): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth);
    await softly.poll(width, where).toBeLessThanOrEqual(size.width);
    await softly.poll(() => findHorizontalOverflow(page), where).toEqual([]);
    await softly.poll(() => findClippedControls(page), where).toEqual([]);
  }
  await page.setViewportSize(windows[0]);
}

/** Runs a workflow until it fails, as those of this file do. */
async function failOnce(request: APIRequestContext, url: string, fileName: string, name: string) {
  const started = await request.post(`${url}/api/v2/dags/${fileName}/start`, { data: {} });
  const { dagRunId } = (await started.json()) as { dagRunId: string };
  const readStatus = async (): Promise<string> => {
    const answer = await request.get(`${url}/api/v2/dag-runs/${name}/${dagRunId}`);
    return ((await answer.json()) as { status: string }).status;
  };
  await expect.poll(readStatus, { timeout: 30_000 }).toBe('failed');
  return dagRunId;
}

interface Subject {
  readonly fileName: string;
  readonly name: string;
  readonly runs: readonly [string, string];
}

/** The main pages, each about the subject. */
async function visitPages(page: Page, { fileName, name, runs }: Subject): Promise<void> {
  const [first, second] = runs;
  const run = `runs/${name}/${first}`;
  for (const place of [
    '',
    'dags',
    'dags?by=tag',
    `dags/${fileName}`,
    `dags/${fileName}?tab=yaml`,
    `dags/${fileName}?tab=runs`,
    `dags/${fileName}?tab=schedule`,
    `dags/${fileName}?tab=versions`,
    `dags/${fileName}/edit`,
    'runs',
    run,
    `${run}?view=timeline`,
    `${run}?view=steps`,
    `${run}?view=values`,
    `compare/${name}/${first}/${name}/${second}`,
    'queues',
    'schedule',
    'search?q=step',
    'audit',
    'new',
  ])
    await test.step(place, async () => {
      await goToHash(page, `#/${place}`);
      await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
      await expectToFit(page, `${name}-${place.replaceAll(/\W+/g, '-')}`);
    });
}

sharedTest(
  'names of more than a hundred characters fit, also at 200 %',
  async ({ page, server, testHome, ui }) => {
    sharedTest.setTimeout(240_000);
    testHome.saveWorkflow(longFile, longSpec);
    await expect(ui.row(longWorkflow)).toBeVisible();
    const runs = [
      await failOnce(page.request, server.url, longFile, longWorkflow),
      await failOnce(page.request, server.url, longFile, longWorkflow),
    ] as const;
    await visitPages(page, { fileName: longFile, name: longWorkflow, runs });

    await goToHash(page, `#/dags/${longFile}`);
    await page.getByRole('button', { name: 'Run…' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectToFit(page, 'start-dialog');
  },
);

sharedTest(
  'names written from right to left are shown as such, and fit',
  async ({ page, server, testHome, ui }) => {
    sharedTest.setTimeout(240_000);
    testHome.saveWorkflow('branches', rightToLeftSpec);
    await expect(ui.row('branches')).toBeVisible();
    const runs = [
      await failOnce(page.request, server.url, 'branches', 'branches'),
      await failOnce(page.request, server.url, 'branches', 'branches'),
    ] as const;
    await visitPages(page, { fileName: 'branches', name: 'branches', runs });

    const directionOf = (text: string): Promise<string> =>
      page
        .getByText(text, { exact: true })
        .filter({ visible: true })
        .first()
        .evaluate((element) => getComputedStyle(element).direction);
    await goToHash(page, '#/dags/branches');
    expect(await directionOf(`${hebrew}, ${arabic}`)).toBe('rtl');
    expect(await directionOf(hebrew)).toBe('rtl');
    expect(await directionOf(arabic.split(' ', 1)[0]!)).toBe('rtl');
    await goToHash(page, `#/runs/branches/${runs[0]}?view=steps`);
    await expect(page.getByRole('table')).toBeVisible();
    expect(await directionOf(arabic)).toBe('rtl');
    // The window layout itself is unchanged.
    expect(await page.evaluate(() => getComputedStyle(document.body).direction)).toBe('ltr');
  },
);

test('a user with the longest name fits, and so do the lists of users and tokens', async ({
  page,
  serve,
  testHome,
  pageErrors,
}) => {
  const name = 'bartholomew-of-the-department-of-rather-long-names-in-the-annexe';
  await testHome.createUser(name, 'admin', password);
  const { url } = await serve({ env: { AUTH_MODE: 'builtin' } });
  await page.goto(`${url}/#/users`);
  await new Account(page).signIn(name);
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible();
  for (const place of ['users', 'tokens', 'settings', 'audit'])
    await test.step(place, async () => {
      await goToHash(page, `#/${place}`);
      await expectToFit(page, `accounts-${place}`);
    });
  pageErrors.length = 0;
});

test('an empty state begins below its header, also at 200 %', async ({ page, serve, testHome }) => {
  testHome.makeWorkflowFolder();
  const { url } = await serve();
  await page.setViewportSize(windows[1]);
  await page.goto(url);
  for (const place of ['', 'dags', 'runs', 'approvals', 'schedule', 'webhooks', 'search'])
    await test.step(place, async () => {
      await goToHash(page, `#/${place}`);
      const words = page.locator('main').getByRole('heading', { level: 2 }).last();
      await expect(words).toBeVisible();
      const head = (await page.locator('main header').first().boundingBox())!;
      const beginning = async (): Promise<number> => (await words.boundingBox())!.y;
      // Its icon is above the text, with a gap: 48 pixels.
      await softly.poll(beginning, place).toBeGreaterThan(head.y + head.height + 48);
      await expectToFit(page, `empty-${place}`);
      await page.setViewportSize(windows[1]);
    });
});

sharedTest('a chart follows the system theme, also when it changes', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await goToHash(page, '#/system');
  const chart = page.getByRole('img', { name: /^CPU/ }).locator('canvas');
  await expect(chart).toBeVisible();
  /** Average brightness of its colours, out of 255. */
  const readBrightness = (): Promise<number> =>
    chart.evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      const drawn: number[] = [];
      for (let at = 0; at < data.length; at += 4)
        if (data[at + 3]! > 250) drawn.push((data[at]! + data[at + 1]! + data[at + 2]!) / 3);
      return drawn.reduce((sum, one) => sum + one, 0) / drawn.length;
    });
  await expect.poll(readBrightness).toBeGreaterThan(150);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(readBrightness).toBeLessThan(110);
});

sharedTest('nothing animates with reduced motion', async ({ page, ui, testHome }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const latch = testHome.gate('still');
  testHome.saveWorkflow('still', `steps:\n  - name: wait\n    script: |\n      ${latch.wait}\n`);
  await expect(ui.row('still')).toBeVisible();
  await ui.run('still');
  await ui.expectCard('wait', 'Running');
  expect(await findInfiniteAnimations(page)).toEqual([]);
  for (const place of ['', 'dags', 'runs', 'queues', 'system']) {
    await goToHash(page, `#/${place}`);
    expect.soft(await findInfiniteAnimations(page), place).toEqual([]);
  }
  latch.open();
});

sharedTest('the header of a run keeps its height when the run fails', async ({ page, ui, testHome }) => {
  const latch = testHome.gate('head');
  testHome.saveWorkflow(
    'nightly-reconciliation',
    `tags: [finance, branches]
params: DAY=2026-01-01 REGION=north
steps:
  - name: wait
    script: |
      ${latch.wait}
      exit 3
`,
  );
  await expect(ui.row('nightly-reconciliation')).toBeVisible();
  await page.setViewportSize(windows[0]);
  await ui.run('nightly-reconciliation', {});
  await ui.expectRunStatus('Running');
  const head = page.locator('header').filter({ has: page.getByRole('heading', { level: 1 }) });
  await expect(head).toContainText('pid');
  await settle(page);
  const height = (await head.boundingBox())!.height;
  latch.open();
  await ui.expectRunStatus('Failed');
  await expect(head.getByRole('button', { name: 'Retry…' })).toBeVisible();
  expect((await head.boundingBox())!.height).toBe(height);
});

sharedTest('labels on the graph of a run are legible in an ordinary window', async ({ page, ui }) => {
  await page.setViewportSize(windows[0]);
  await ui.run('sales-etl', { PACE: '0' });
  await ui.expectRunStatus('Succeeded');
  const sizeOf = (text: string): Promise<number> =>
    page
      .getByRole('group', { name: /^Graph of/ })
      .getByText(text, { exact: true })
      .evaluate((name) => {
        const zoom = name.getBoundingClientRect().height / (name as HTMLElement).offsetHeight;
        return Number.parseFloat(getComputedStyle(name).fontSize) * zoom;
      });
  // The graph is laid out some frames after it is shown.
  for (const text of ['split north', 'Handlers'])
    await expect.poll(() => sizeOf(text), text).toBeGreaterThanOrEqual(10);
});

sharedTest('the form above the canvas covers no card', async ({ page }) => {
  await page.setViewportSize(windows[0]);
  await goToHash(page, '#/dags/sales-etl/edit');
  await page.getByRole('radio', { name: 'Canvas' }).click();
  const cards = page.locator('[data-canvas] [data-node-id]');
  await expect(cards).toHaveCount(8);
  await cards.first().click();
  const form = page.getByRole('region', { name: 'Inspector' });
  await expect(form).toBeVisible();
  const rightmost = (): Promise<number> =>
    cards.evaluateAll((all) => Math.max(...all.map((card) => card.getBoundingClientRect().right)));
  await expect.poll(rightmost).toBeLessThan((await form.boundingBox())!.x);
});

sharedTest('every select has the arrow of the app', async ({ page }) => {
  // Wide enough for the workflow form next to the canvas.
  await page.setViewportSize({ width: 1920, height: 1080 });
  await goToHash(page, '#/settings');
  const choices = page.getByRole('combobox');
  const findOthers = async (): Promise<string[]> => {
    await expect(choices.first()).toBeVisible();
    return choices.evaluateAll((all) =>
      all
        .filter((choice) => choice.localName === 'select' && getComputedStyle(choice).appearance !== 'none')
        .map(({ outerHTML }) => outerHTML.slice(0, 80)),
    );
  };
  expect(await findOthers()).toEqual([]);
  await goToHash(page, '#/dags/sales-etl/edit');
  await page.getByRole('radio', { name: 'Canvas' }).click();
  expect(await findOthers()).toEqual([]);
});
