import { create } from 'zustand';
import { canvasKeys, findCommand, type CanvasCommand, type KeyChoices } from './canvas-keys.ts';

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
  if (holder) return `This key is already used for “${holder.words}”.`;
  store({ ...readKeyChoices(), [command]: [key] });
  return undefined;
}

/** Resets all commands to their default keys. */
export const resetKeys = (): void => store({});

/** Returns the command of a key press, including custom shortcuts. */
export const findChosenCommand = (press: Parameters<typeof findCommand>[0]) =>
  findCommand(press, readKeyChoices());
