import { create } from 'zustand';
import { canvasKeys, findCommand, type CanvasCommand, type KeyChoices } from './canvas-keys.ts';

const storageKey = 'stepwright.editor.keys';

const useChoices = create<{ readonly choices: KeyChoices }>(() => ({ choices: readStored() }));

/** What is stored on this machine; rows that are not as they should be are left out. */
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

/** The keys that were given another meaning, now. */
export const readKeyChoices = (): KeyChoices => useChoices.getState().choices;

export const useKeyChoices = (): KeyChoices => useChoices(({ choices }) => choices);

function store(choices: KeyChoices): void {
  localStorage.setItem(storageKey, JSON.stringify(choices));
  useChoices.setState({ choices });
}

/** Gives a command another key. @returns why it cannot have it: another command does */
export function chooseKey(command: CanvasCommand, key: string): string | undefined {
  const holder = canvasKeys.find(
    (row) => row.command !== command && (readKeyChoices()[row.command] ?? row.keys).includes(key),
  );
  if (holder) return `This key is already used for “${holder.words}”.`;
  store({ ...readKeyChoices(), [command]: [key] });
  return undefined;
}

/** Gives all commands back the keys of the table. */
export const resetKeys = (): void => store({});

/** What a key press asks for, with the choices of this machine. */
export const findChosenCommand = (press: Parameters<typeof findCommand>[0]) =>
  findCommand(press, readKeyChoices());
