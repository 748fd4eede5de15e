import { create } from 'zustand';

/** Commands of the canvas that have a keyboard shortcut. */
export type CanvasCommand =
  | 'add'
  | 'edit'
  | 'rename'
  | 'connect'
  | 'delete'
  | 'deleteReconnect'
  | 'duplicate'
  | 'copy'
  | 'cut'
  | 'paste'
  | 'selectAll'
  | 'clear'
  | 'step'
  | 'extendUp'
  | 'extendDown'
  | 'nudge'
  | 'place'
  | 'fold'
  | 'focusNeighbours'
  | 'layOut'
  | 'fit'
  | 'actualSize'
  | 'zoomIn'
  | 'zoomOut'
  | 'zoomSelection'
  | 'search'
  | 'menu'
  | 'runAll'
  | 'runUpTo'
  | 'runStep'
  | 'showLog'
  | 'keys';

/** A row of the table of keyboard shortcuts. */
export interface CanvasKey {
  readonly command: CanvasCommand;
  readonly words: string;
  /** Key names with modifiers in front, such as `Ctrl+Shift+A`. Ctrl means Command on macOS. */
  readonly keys: readonly string[];
  readonly group: 'Steps' | 'Selection' | 'Run' | 'View';
  /** Handled by the page or by a browser event: the key is listed but has no listener. */
  readonly isNative?: true;
}

/** All keyboard shortcuts of the canvas, in the order of the list that `?` opens. */
export const canvasKeys: readonly CanvasKey[] = [
  { command: 'add', words: 'Add step after the selected one', keys: ['Tab'], group: 'Steps' },
  { command: 'edit', words: 'Edit step', keys: ['Enter'], group: 'Steps' },
  { command: 'rename', words: 'Rename step', keys: ['F2'], group: 'Steps' },
  { command: 'connect', words: 'Connect to another step', keys: ['C'], group: 'Steps' },
  { command: 'delete', words: 'Delete steps or connection', keys: ['Delete', 'Backspace'], group: 'Steps' },
  {
    command: 'deleteReconnect',
    words: 'Delete steps and reconnect',
    keys: ['Ctrl+Delete', 'Ctrl+Backspace'],
    group: 'Steps',
  },
  { command: 'duplicate', words: 'Duplicate', keys: ['Ctrl+D'], group: 'Steps' },
  { command: 'copy', words: 'Copy as YAML', keys: ['Ctrl+C'], group: 'Steps', isNative: true },
  { command: 'cut', words: 'Cut', keys: ['Ctrl+X'], group: 'Steps', isNative: true },
  { command: 'paste', words: 'Paste YAML', keys: ['Ctrl+V'], group: 'Steps', isNative: true },
  {
    command: 'step',
    words: 'Go to nearest step',
    keys: ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'],
    group: 'Selection',
  },
  {
    command: 'extendUp',
    words: 'Extend selection to dependencies',
    keys: ['Shift+ArrowLeft'],
    group: 'Selection',
  },
  {
    command: 'extendDown',
    words: 'Extend selection to dependents',
    keys: ['Shift+ArrowRight'],
    group: 'Selection',
  },
  { command: 'selectAll', words: 'Select all steps', keys: ['Ctrl+A'], group: 'Selection' },
  { command: 'clear', words: 'Clear selection', keys: ['Escape'], group: 'Selection' },
  {
    command: 'nudge',
    words: 'Move selected cards',
    keys: ['Alt+ArrowLeft', 'Alt+ArrowRight', 'Alt+ArrowUp', 'Alt+ArrowDown'],
    group: 'Selection',
  },
  {
    command: 'place',
    words: 'Move selected cards with a click',
    keys: ['M'],
    group: 'Selection',
  },
  {
    command: 'fold',
    words: 'Expand or collapse sub-workflow or group',
    keys: ['F'],
    group: 'Selection',
  },
  { command: 'menu', words: 'Menu', keys: ['Shift+F10', 'ContextMenu'], group: 'Selection' },
  { command: 'runAll', words: 'Run all steps', keys: ['Ctrl+Enter'], group: 'Run', isNative: true },
  {
    command: 'runUpTo',
    words: 'Run to this step',
    keys: ['Ctrl+Shift+Enter'],
    group: 'Run',
    isNative: true,
  },
  { command: 'runStep', words: 'Run this step only', keys: ['R'], group: 'Run' },
  { command: 'showLog', words: 'Show step log', keys: ['O'], group: 'Run' },
  { command: 'search', words: 'Search', keys: ['Ctrl+F', '/'], group: 'View' },
  { command: 'focusNeighbours', words: 'Highlight neighbors', keys: ['N'], group: 'View' },
  { command: 'layOut', words: 'Auto-layout', keys: ['L'], group: 'View' },
  { command: 'fit', words: 'Fit graph to view', keys: ['1'], group: 'View' },
  { command: 'zoomSelection', words: 'Fit selection to view', keys: ['2'], group: 'View' },
  { command: 'actualSize', words: 'Zoom to 100%', keys: ['0'], group: 'View' },
  { command: 'zoomIn', words: 'Zoom in', keys: ['+', '='], group: 'View' },
  { command: 'zoomOut', words: 'Zoom out', keys: ['-'], group: 'View' },
  { command: 'keys', words: 'Keyboard shortcuts', keys: ['?'], group: 'View' },
];

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** Formats a key press as in the table. Shift is omitted where it produces another character, as in `?`. */
export function nameKey({ key, ctrlKey, metaKey, altKey, shiftKey }: Press): string {
  const isCharacter = [...key].length === 1;
  const isLetter = /^[a-z]$/i.test(key);
  const keyNames = [
    ...(ctrlKey || metaKey ? ['Ctrl'] : []),
    ...(altKey ? ['Alt'] : []),
    ...(shiftKey && (!isCharacter || isLetter) ? ['Shift'] : []),
    isLetter ? key.toUpperCase() : key,
  ];
  return keyNames.join('+');
}

/** Keyboard shortcuts changed on this machine, by command. */
export type KeyChoices = Readonly<Partial<Record<CanvasCommand, readonly string[]>>>;

/** Returns the command of a key press. */
export function findCommand(press: Press, choices: KeyChoices = {}): CanvasKey | undefined {
  const name = nameKey(press);
  return canvasKeys.find(
    ({ command, keys, isNative }) => !isNative && (choices[command] ?? keys).includes(name),
  );
}

const symbols: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Delete: 'Del',
  Escape: 'Esc',
  ContextMenu: 'Menu',
};

/** Formats a key for display. */
export const showKey = (key: string): string =>
  key === '+' ? key : key.replace(/[^+]+$/, (last) => symbols[last] ?? last);

const storageKey = 'stepwright.editor.keys';

const useChoices = create<{ readonly choices: KeyChoices }>(() => ({ choices: readStored() }));

/** Reads the stored shortcuts; invalid rows are ignored. */
function readStored(): KeyChoices {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '{}');
    const rows = Object.entries(stored as object).filter(
      ([command, keys]) =>
        canvasKeys.some((row) => row.command === command) &&
        Array.isArray(keys) &&
        keys.every((key) => typeof key === 'string'),
    );
    return Object.fromEntries(rows);
  } catch {
    return {};
  }
}

/** Returns the current custom shortcuts. */
export const readKeyChoices = (): KeyChoices => useChoices.getState().choices;

export const useKeyChoices = (): KeyChoices => useChoices(({ choices }) => choices);

function store(choices: KeyChoices): void {
  localStorage.setItem(storageKey, JSON.stringify(choices));
  useChoices.setState({ choices });
}

/** Assigns a key to a command. @returns the reason if the key is taken by another command */
export function setCanvasShortcut(command: CanvasCommand, key: string): string | undefined {
  const holder = canvasKeys.find(
    (row) => row.command !== command && (readKeyChoices()[row.command] ?? row.keys).includes(key),
  );
  if (holder) return `This key is already used for "${holder.words}".`;
  store({ ...readKeyChoices(), [command]: [key] });
  return undefined;
}

/** Resets all commands to their default keys. */
export const resetKeys = (): void => store({});

/** Returns the command of a key press, including custom shortcuts. */
export const findChosenCommand = (press: Parameters<typeof findCommand>[0]) =>
  findCommand(press, readKeyChoices());

/** Returns the current key of a command for display. */
export const shownKeyOf = (command: CanvasCommand): string =>
  showKey(readKeyChoices()[command]?.[0] ?? canvasKeys.find((key) => key.command === command)?.keys[0] ?? '');
