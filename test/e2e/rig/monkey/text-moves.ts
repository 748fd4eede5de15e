import {
  drawn,
  findClickTarget,
  pressKeys,
  pressOne,
  type Monkey,
  type Move,
  type ClickTarget,
} from './monkey.ts';

const line = '[aria-label="Workflow file"] .cm-line';
const typed = [
  ...[' # noted', ': [', '"', '\t', '- ', '}', 'äöü 漢字 🎉', '${', '&a ', '*a', '---\n', '|\n', '!!str '],
  '\n  - name: typed\n',
  'retryPolicy: {limit: 2}\n',
  'depends: [fetch]\n',
  'x'.repeat(300),
];
const pasted = [
  '  - name: pasted\n    command: echo pasted   # as it is\n    depends: [fetch]\n',
  'handlerOn:\n  exit: echo bye\n',
  '\r\nsteps:\r\n  - echo one\r\n',
  '\u0000\u2028\uFEFF',
  'a: [1, 2\nb: }',
  '',
];
const codeKeys = [
  ...['Enter', 'Backspace', 'Delete', 'Home', 'End', 'Control+a', 'Tab', 'Shift+Tab', 'F8', 'Control+Space'],
  ...['Alt+ArrowUp', 'Alt+ArrowDown', 'Control+/', 'Control+Shift+k', 'Control+Home', 'Control+End'],
  ...['Shift+ArrowDown', 'ArrowUp', 'Control+Backspace', 'Control+Alt+ArrowDown', 'Control+Shift+['],
];

async function placeCursor(monkey: Monkey): Promise<boolean> {
  if (!(await pressOne(monkey, line))) return false;
  await pressKeys(monkey.page, monkey.random.pick(['End', 'Home', 'ArrowDown']));
  return true;
}

async function typeCode(monkey: Monkey): Promise<boolean> {
  if (!(await placeCursor(monkey))) return false;
  const { page, random } = monkey;
  if (random.chance(0.7)) await page.keyboard.type(random.pick(typed));
  else await page.keyboard.insertText(random.pick(pasted));
  return true;
}

async function pressCodeKeys(monkey: Monkey): Promise<boolean> {
  if (!(await placeCursor(monkey))) return false;
  const { page, random } = monkey;
  const count = random.between(1, 6);
  for (let done = 0; done < count; done += 1) await pressKeys(page, random.pick(codeKeys));
  return true;
}

async function complete(monkey: Monkey): Promise<boolean> {
  if (!(await placeCursor(monkey))) return false;
  const { page, random } = monkey;
  await pressKeys(page, 'End', 'Enter');
  await page.keyboard.type(random.pick(['re', 'type: ', 'depends: ', '  - ', 'command: echo ${', 'st']));
  await pressKeys(page, 'Control+Space');
  await drawn(page);
  await pressKeys(page, 'ArrowDown', random.pick(['Enter', 'Escape', 'Tab']));
  return true;
}

/** Deletes lines and mostly undoes it. */
async function cutCode(monkey: Monkey): Promise<boolean> {
  if (!(await placeCursor(monkey))) return false;
  const { page, random } = monkey;
  await pressKeys(page, random.pick(['Control+a', 'Shift+PageDown', 'Shift+ArrowDown']), 'Control+x');
  if (random.chance(0.7)) await pressKeys(page, random.pick(['Control+v', 'Control+z']));
  return true;
}

async function renameAtCursor(monkey: Monkey): Promise<boolean> {
  if (!(await placeCursor(monkey))) return false;
  await pressKeys(monkey.page, 'F2');
  await drawn(monkey.page);
  if ((await monkey.page.getByRole('dialog').count()) === 0) return false;
  await monkey.page.keyboard.type(monkey.random.pick(['renamed', 'load', 'x y']));
  await pressKeys(monkey.page, 'Enter');
  return true;
}

async function goToStep(monkey: Monkey): Promise<boolean> {
  if (!(await placeCursor(monkey))) return false;
  await pressKeys(monkey.page, 'Control+Shift+o');
  await monkey.page.keyboard.type(monkey.random.pick(['lo', 'e', 'none']));
  await pressKeys(monkey.page, 'ArrowDown', 'Enter');
  return true;
}

const values = [
  ...[
    'echo changed',
    '5',
    '-1',
    'abc',
    '1h 30m',
    '30 6 * * 1-5',
    'x: y',
    '#no',
    '*',
    'true',
    '',
    '  ',
    '"',
    "it's",
  ],
  ...['fetch', 'ünï', '${A}', 'a\tb', '{', '[1, 2]', '2024-01-01', 'null', '0x1F', '~', '> folded', '|'],
];
const field = '[aria-label="Inspector"] :is(input:not([type="checkbox"]), textarea, .cm-content)';
/** Closing is rare, as no other move is possible afterwards. */
const isNoClosing = ({ name }: ClickTarget): boolean => !name.startsWith('Close ');

async function fillField(monkey: Monkey): Promise<boolean> {
  const { page, random } = monkey;
  const spot = await findClickTarget(monkey, field);
  if (!spot) return pressOne(monkey, '[aria-label="Open inspector"]');
  await page.mouse.click(spot.x, spot.y);
  await pressKeys(page, random.chance(0.7) ? 'Control+a' : 'End');
  const value = random.pick(values);
  if (value === '') await pressKeys(page, 'Delete');
  else await page.keyboard.type(value);
  await pressKeys(page, random.pick(['Tab', 'Enter', 'Escape', 'Shift+Tab']));
  return true;
}

async function pressInForm(monkey: Monkey): Promise<boolean> {
  const suits = monkey.random.chance(0.95) ? isNoClosing : undefined;
  const controls =
    '[aria-label="Inspector"] :is(button, summary, label:has(input[type="checkbox"], input[type="radio"]))';
  if (!(await pressOne(monkey, controls, suits))) return false;
  await drawn(monkey.page);
  await pressOne(monkey, '[role="listbox"] [role="option"]');
  return true;
}

async function scrollForm({ page, random, ...rest }: Monkey): Promise<boolean> {
  const pane = await findClickTarget({ page, random, ...rest }, '[aria-label="Inspector"]');
  if (!pane) return false;
  await page.mouse.move(pane.x, pane.y);
  await page.mouse.wheel(0, random.between(-600, 900));
  return true;
}

/** Moves in the code pane and in the form. */
export const textMoves: readonly Move[] = [
  { name: 'type code', weight: 9, make: typeCode },
  { name: 'keys in the code', weight: 7, make: pressCodeKeys },
  { name: 'complete code', weight: 4, make: complete },
  { name: 'cut code', weight: 3, make: cutCode },
  { name: 'rename at the cursor', weight: 2, make: renameAtCursor },
  { name: 'go to a step', weight: 2, make: goToStep },
  { name: 'fill a field', weight: 10, make: fillField },
  { name: 'button of the form', weight: 7, make: pressInForm },
  { name: 'scroll the form', weight: 3, make: scrollForm },
];
