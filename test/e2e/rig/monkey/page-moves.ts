import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import {
  readCode,
  showCanvasAndCode,
  drawn,
  findClickTarget,
  pressKeys,
  pressOne,
  type Monkey,
  type Move,
  type ClickTarget,
} from './monkey.ts';

const row = '[role="treegrid"] [role="row"]';
const isHarmless = ({ name }: ClickTarget): boolean => !/run/i.test(name);

async function moveInOutline(monkey: Monkey): Promise<boolean> {
  if (!(await pressOne(monkey, row))) return false;
  const { page, random } = monkey;
  const keys = [
    '+',
    'Delete',
    'Alt+ArrowUp',
    'Alt+ArrowDown',
    'ArrowDown',
    'ArrowUp',
    'ArrowLeft',
    'ArrowRight',
  ];
  const count = random.between(1, 3);
  for (let done = 0; done < count; done += 1)
    await pressKeys(page, random.pick([...keys, 'Enter', 'Home', 'End', 'Shift+ArrowDown']));
  return true;
}

async function moveInRowMenu(monkey: Monkey): Promise<boolean> {
  if (!(await pressOne(monkey, row))) return false;
  if (!(await pressOne(monkey, '[role="treegrid"] [aria-label^="Actions for"]'))) return false;
  await drawn(monkey.page);
  return pressOne(monkey, '[role="menuitem"]', isHarmless);
}

async function moveInHistory({ page, random }: Monkey): Promise<boolean> {
  const count = random.between(1, 12);
  // Out of the fields, some of which have their own history.
  await page.getByRole('heading', { level: 1 }).click();
  const back = random.chance(0.55);
  for (let done = 0; done < count; done += 1) await pressKeys(page, back ? 'Control+z' : 'Control+Shift+z');
  return true;
}

async function reviewChanges(monkey: Monkey): Promise<boolean> {
  if (!(await pressOne(monkey, '[aria-label="Review changes"]'))) return false;
  await drawn(monkey.page);
  await pressOne(monkey, '[role="dialog"] [role="radio"]');
  await pressOne(monkey, '[role="dialog"] button', ({ name }) => name === 'Save' || name === 'Cancel');
  return true;
}

async function useVersions(monkey: Monkey): Promise<boolean> {
  if (!(await pressOne(monkey, '[aria-label="Versions"]'))) return false;
  await monkey.page.getByRole('dialog').getByRole('button').last().waitFor();
  await pressOne(monkey, '[role="dialog"] [role="option"]');
  await drawn(monkey.page);
  await pressOne(monkey, '[role="dialog"] button', ({ name }) => /Restore|Close$/.test(name));
  return true;
}

const outsideChanges: readonly ((text: string) => string)[] = [
  (text) => `${text}# from outside\n`,
  (text) => text.replace(/echo \w+/, 'echo outside'),
  (text) => `# first line\n${text}`,
  (text) => text.split('\n').slice(0, -3).join('\n'),
  (text) => text.replace('steps:', 'env:\n  - OUTSIDE: 1\nsteps:'),
];

/** Writes the file externally. Waits until the page has loaded it or asks, as a user would see. */
async function changeOutside({ page, random, file }: Monkey): Promise<boolean> {
  const before = readFileSync(file, 'utf8');
  const after = random.pick(outsideChanges)(before);
  const question = page.getByText('The file has changed on disk');
  if (after === before || (await question.count()) > 0) return false;
  await showCanvasAndCode(page);
  const isDirty = (await page.getByText('Unsaved changes', { exact: true }).count()) > 0;
  writeFileSync(file, after);
  if (isDirty) await question.waitFor();
  else await expect.poll(() => readCode(page)).toBe(after);
  return true;
}

async function answerChange(monkey: Monkey): Promise<boolean> {
  const answers = /^(Accept theirs|Keep mine|Merge…)$/;
  if (!(await pressOne(monkey, 'main button', ({ name }) => answers.test(name)))) return false;
  await drawn(monkey.page);
  for (let choices = 0; choices < 4; choices += 1)
    await pressOne(monkey, '[role="dialog"] [aria-label="Resolution"] [role="radio"]');
  await pressOne(monkey, '[role="dialog"] button', ({ name }) => /Use merged version|Cancel/.test(name));
  return true;
}

async function moveInProblems(monkey: Monkey): Promise<boolean> {
  if (!(await findClickTarget(monkey, '[aria-label="Problems"] button')))
    return pressOne(monkey, '[aria-label^="Problems:"]');
  return pressOne(monkey, '[aria-label="Problems"] button');
}

async function dryRun(monkey: Monkey): Promise<boolean> {
  if (!(await pressOne(monkey, '[aria-label="More run options"]'))) return false;
  await drawn(monkey.page);
  const chosen = await pressOne(monkey, '[role="menuitem"]', ({ name }) => name.startsWith('Dry run'));
  await drawn(monkey.page);
  return chosen;
}

async function resize({ page, random }: Monkey): Promise<boolean> {
  await page.setViewportSize({
    width: random.pick([1000, 1280, 1600, 1920]),
    height: random.pick([640, 800, 1000]),
  });
  return true;
}

/** Moves on the page as a whole, in the outline and outside the window. */
export const pageMoves: readonly Move[] = [
  { name: 'outline', weight: 8, make: moveInOutline },
  { name: 'menu of a row', weight: 5, make: moveInRowMenu },
  { name: 'undo and redo', weight: 10, make: moveInHistory },
  {
    name: 'another view',
    weight: 4,
    make: (monkey) => pressOne(monkey, '[role="radiogroup"][aria-label="View"] [role="radio"]'),
  },
  {
    name: 'save',
    weight: 3,
    async make({ page }) {
      await pressKeys(page, 'Control+s');
      await pressKeys(page, 'Control+s');
      return true;
    },
  },
  { name: 'look at the changes', weight: 2, make: reviewChanges },
  { name: 'versions', weight: 2, make: useVersions },
  { name: 'change from outside', weight: 3, make: changeOutside },
  { name: 'answer to a change', weight: 6, make: answerChange },
  { name: 'problems', weight: 2, make: moveInProblems },
  { name: 'dry run', weight: 1, make: dryRun },
  { name: 'another size', weight: 1, make: resize },
  {
    name: 'go on with the draft',
    weight: 2,
    make: (monkey) =>
      pressOne(
        monkey,
        'main button',
        ({ name }) => name === 'Keep changes' || name === 'Discard changes' || name === 'Close',
      ),
  },
];
