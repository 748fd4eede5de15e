import {
  drag,
  drawn,
  findClickTarget,
  pressKeys,
  pressOne,
  type Monkey,
  type Move,
  type ClickTarget,
} from './monkey.ts';

const card = '[data-canvas] [data-node-id]';
const names = ['again', 'prepare', 'ünïcode', 'a: b', '#', 'two words', 'fetch', '', '- x', '"q'];
const snippetWords = ['command', 'http', 'mail', 'script', 'jq', 'container', 'wait', 'zzz'];
/** Commands that would run something are left out: the texts are random. */
const isHarmless = ({ name }: ClickTarget): boolean => !/run/i.test(name);

/** A visible card; if none is, fits the whole graph into view. */
async function findCard(monkey: Monkey): Promise<ClickTarget | undefined> {
  const clickTarget = await findClickTarget(monkey, card);
  if (clickTarget) return clickTarget;
  if (await pressOne(monkey, '[aria-label="Fit to view"]')) await drawn(monkey.page);
  return findClickTarget(monkey, card);
}

async function selectCard(monkey: Monkey): Promise<ClickTarget | undefined> {
  const spot = await findCard(monkey);
  if (!spot) return undefined;
  const withControl = monkey.random.chance(0.3);
  if (withControl) await monkey.page.keyboard.down('Control');
  await monkey.page.mouse.click(spot.x, spot.y);
  if (withControl) await monkey.page.keyboard.up('Control');
  return spot;
}

/** Types a word into a picker that may have opened, and selects the first entry, or closes it. */
async function answerPicker({ page, random }: Monkey, words: readonly string[]): Promise<void> {
  await page.keyboard.type(random.pick(words));
  await pressKeys(page, random.chance(0.8) ? 'Enter' : 'Escape');
}

const plainKeys = [
  ...['Delete', 'Control+Delete', 'Control+d', 'Control+c', 'Control+v', 'Control+x', 'Control+a', 'Escape'],
  ...['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Shift+ArrowLeft', 'Shift+ArrowRight'],
  ...['Alt+ArrowLeft', 'Alt+ArrowDown', 'l', '1', '2', '0', '+', '-', 'n', 'Enter'],
];

async function pressCardKey(monkey: Monkey): Promise<boolean> {
  if (!(await selectCard(monkey))) return false;
  const { page, random } = monkey;
  const count = random.between(1, 3);
  for (let done = 0; done < count; done += 1) await pressKeys(page, random.pick(plainKeys));
  return true;
}

async function copyAndPaste(monkey: Monkey): Promise<boolean> {
  const spot = await selectCard(monkey);
  if (spot) await pressKeys(monkey.page, monkey.random.pick(['Control+c', 'Control+x']), 'Control+v');
  return spot !== undefined;
}

async function addBehind(monkey: Monkey): Promise<boolean> {
  if (!(await selectCard(monkey))) return false;
  await pressKeys(monkey.page, 'Tab');
  await answerPicker(monkey, snippetWords);
  return true;
}

async function connectByKey(monkey: Monkey): Promise<boolean> {
  if (!(await selectCard(monkey))) return false;
  await pressKeys(monkey.page, 'c');
  await answerPicker(monkey, ['', 'load', 'fetch', 're']);
  return true;
}

async function rename(monkey: Monkey): Promise<boolean> {
  if (!(await selectCard(monkey))) return false;
  const { page, random } = monkey;
  await pressKeys(page, 'F2');
  await page.keyboard.type(random.pick(names));
  await pressKeys(page, random.pick(['Enter', 'Enter', 'Escape', 'Tab']));
  return true;
}

async function connectByDragging(monkey: Monkey): Promise<boolean> {
  const [from, to] = [await findCard(monkey), await findClickTarget(monkey, card)];
  if (!from || !to) return false;
  const { page, random } = monkey;
  const target = random.chance(0.75) ? to : { x: to.x + random.between(-200, 200), y: to.y + 90 };
  await page.mouse.move(from.x, from.y);
  await drag(page, { x: from.x + from.width / 2, y: from.y }, target);
  await drawn(page);
  if ((await page.getByRole('dialog', { name: 'Add step' }).count()) > 0)
    await answerPicker(monkey, snippetWords);
  return true;
}

async function dragCard(monkey: Monkey): Promise<boolean> {
  const from = await findCard(monkey);
  if (!from) return false;
  const { page, random } = monkey;
  await drag(page, from, { x: from.x + random.between(-220, 220), y: from.y + random.between(-160, 160) });
  return true;
}

/** Where edges can be clicked, which is not the center of their bounding box. */
async function findLine({ page, random }: Monkey): Promise<{ x: number; y: number } | undefined> {
  const clickTarget = await page.evaluate(() =>
    [...document.querySelectorAll<SVGPathElement>('.react-flow__edge-interaction')].flatMap((line) => {
      const middle = line.getPointAtLength(line.getTotalLength() / 2);
      const { x, y } = new DOMPoint(middle.x, middle.y).matrixTransform(
        line.getScreenCTM() ?? new DOMMatrix(),
      );
      return document.elementFromPoint(x, y)?.closest('.react-flow__edge') ? [{ x, y }] : [];
    }),
  );
  return clickTarget.length === 0 ? undefined : random.pick(clickTarget);
}

async function cutLine(monkey: Monkey): Promise<boolean> {
  const line = await findLine(monkey);
  if (!line) return false;
  const { page, random } = monkey;
  await page.mouse.click(line.x, line.y);
  if (random.chance(0.6)) await pressKeys(page, 'Delete');
  else if (await pressOne(monkey, '[aria-label^="Insert a step between"]'))
    await answerPicker(monkey, snippetWords);
  return true;
}

async function moveInMenu(monkey: Monkey): Promise<boolean> {
  const { page, random } = monkey;
  const pane = await findClickTarget(monkey, '[data-canvas]');
  const beside = pane && { x: pane.x + random.between(-150, 150), y: pane.y + random.between(-150, 150) };
  const menuTarget = random.pick([
    await findCard(monkey),
    await findCard(monkey),
    await findLine(monkey),
    beside,
  ]);
  if (!menuTarget) return false;
  await page.mouse.click(menuTarget.x, menuTarget.y, { button: 'right' });
  await drawn(page);
  const chosen = await pressOne(monkey, '[role="menuitem"]', isHarmless);
  await drawn(page);
  if (chosen && (await page.locator('[role="dialog"] [role="combobox"]').count()) > 0)
    await answerPicker(monkey, [...snippetWords, '']);
  return chosen;
}

async function usePalette(monkey: Monkey): Promise<boolean> {
  const { page, random } = monkey;
  const snippet = await findClickTarget(monkey, '[aria-label="Palette"] li button');
  if (!snippet) return pressOne(monkey, '[aria-label="Add step"]');
  const pane = await findClickTarget(monkey, '[data-canvas]');
  if (!pane || random.chance(0.4)) await page.mouse.click(snippet.x, snippet.y);
  else {
    const to = (await findLine(monkey)) ?? pane;
    await drag(page, snippet, random.chance(0.5) ? to : { x: pane.x, y: pane.y + random.between(-120, 120) });
  }
  return true;
}

async function addHandler(monkey: Monkey): Promise<boolean> {
  if (!(await pressOne(monkey, '[aria-label*=" handler, runs"]'))) return false;
  await drawn(monkey.page);
  await answerPicker(monkey, snippetWords);
  return true;
}

async function selectFrame(monkey: Monkey): Promise<boolean> {
  const pane = await findClickTarget(monkey, '[data-canvas]');
  if (!pane) return false;
  const { page, random } = monkey;
  const from = { x: pane.x - random.between(60, 240), y: pane.y - random.between(60, 200) };
  await page.keyboard.down('Shift');
  await drag(page, from, { x: pane.x + 200, y: pane.y + 200 });
  await page.keyboard.up('Shift');
  return true;
}

async function zoomAndPan(monkey: Monkey): Promise<boolean> {
  const pane = await findClickTarget(monkey, '[data-canvas]');
  if (!pane) return false;
  const { page, random } = monkey;
  await page.mouse.move(pane.x, pane.y);
  const zooms = random.chance(0.6);
  if (zooms) await page.keyboard.down('Control');
  await page.mouse.wheel(random.between(-200, 200), random.between(-500, 500));
  if (zooms) await page.keyboard.up('Control');
  return true;
}

async function search(monkey: Monkey): Promise<boolean> {
  if (!(await selectCard(monkey))) return false;
  await pressKeys(monkey.page, 'Control+f');
  await monkey.page.keyboard.type(monkey.random.pick(['load', 're', 'q q', '(']));
  await pressKeys(monkey.page, 'Enter', 'Enter', 'Escape');
  return true;
}

/** Moves on the canvas. */
export const canvasMoves: readonly Move[] = [
  { name: 'select a card', weight: 3, make: async (monkey) => (await selectCard(monkey)) !== undefined },
  { name: 'key on a card', weight: 10, make: pressCardKey },
  { name: 'copy and paste', weight: 4, make: copyAndPaste },
  { name: 'add behind', weight: 5, make: addBehind },
  { name: 'connect by key', weight: 5, make: connectByKey },
  { name: 'connect by dragging', weight: 8, make: connectByDragging },
  { name: 'rename on the canvas', weight: 4, make: rename },
  { name: 'drag a card', weight: 4, make: dragCard },
  { name: 'cut or fill a line', weight: 5, make: cutLine },
  { name: 'menu of the canvas', weight: 8, make: moveInMenu },
  { name: 'palette', weight: 5, make: usePalette },
  { name: 'add a handler', weight: 3, make: addHandler },
  { name: 'select in a frame', weight: 2, make: selectFrame },
  { name: 'zoom and pan', weight: 3, make: zoomAndPan },
  { name: 'search', weight: 2, make: search },
  {
    name: 'fold or leave',
    weight: 3,
    make: (monkey) =>
      pressOne(monkey, '[aria-label*="parallel steps:"], [aria-label="Workflows in this file"] button'),
  },
  {
    name: 'toolbar of the canvas',
    weight: 3,
    make: (monkey) => pressOne(monkey, '[data-canvas] .react-flow__panel button'),
  },
];
