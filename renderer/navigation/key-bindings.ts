import { useEffect, useRef } from 'react';
import type { Dispose } from '../../core/base/clock.ts';
import { setPreferences, usePreferences } from '../base/preferences.ts';
import { systemClock } from '../base/clock.ts';
import { navigationItems, type NavigationItem, useVisibleNavigationItems } from './navigation-items.ts';

/* A binding is a sequence of chords, `g w`, each a key with its modifiers in front, `Mod+Shift+p`. `Mod` is the
   Control key, or Command on macOS. Letters are lower case; a character that needs Shift is written by itself:
   `?`. */

const modifierKeys: ReadonlySet<string> = new Set(['Control', 'Shift', 'Alt', 'Meta', 'AltGraph']);

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** Returns the chord of a key press; undefined while only modifiers are pressed. */
export function formatChord({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): string | undefined {
  if (modifierKeys.has(key) || key === 'Dead' || key === '') return undefined;
  const isSign = key.length === 1 && key.toLowerCase() === key.toUpperCase();
  const keys = [
    ...(ctrlKey || metaKey ? ['Mod'] : []),
    ...(altKey ? ['Alt'] : []),
    ...(shiftKey && !isSign ? ['Shift'] : []),
    key === ' ' ? 'Space' : key.length === 1 ? key.toLowerCase() : key,
  ];
  return keys.join('+');
}

/** Whether a chord works while typing: only one with a modifier does. */
export const isTypingChord = (chord: string): boolean => !/^(Mod|Alt)\+/.test(chord);

const acceptsLetters = [
  'input:not([type=checkbox], [type=radio])',
  'textarea',
  'select',
  '[contenteditable=""]',
  '[contenteditable=true]',
  '[role=dialog]',
  '[role=alertdialog]',
  '[role=menu]',
  '[role=listbox]',
].join(',');

/** Whether letters are text input, or typeahead in a menu. */
export const isTextInput = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(acceptsLetters) !== null;

/** A keyboard shortcut. */
export interface Binding {
  readonly id: string;
  readonly group: 'Global' | 'Go to' | 'Workflows' | 'Lists';
  readonly words: string;
  /** The defaults; each sequence triggers the action. */
  readonly keys: readonly string[];
  /** A well-known pattern, which cannot be changed. */
  readonly isFixed?: true;
}

const listRows = [
  ['next', 'Next row', ['j', 'ArrowDown']],
  ['previous', 'Previous row', ['k', 'ArrowUp']],
  ['open', 'Open row', ['Enter']],
  ['select', 'Select row', ['x']],
  ['fold', 'Collapse section', ['ArrowLeft']],
  ['unfold', 'Expand section', ['ArrowRight']],
  ['search', 'Search list', ['/']],
] as const;

/** For the workflow of the page, or the selected or current row of the list. */
const workflowKeys = [
  ['edit', 'Edit workflow', ['e']],
  ['rename', 'Rename workflow', ['F2']],
  ['duplicate', 'Duplicate workflow', ['d']],
  ['move', 'Move workflows to a folder', ['m']],
  ['delete', 'Delete workflows', ['Delete', 'Backspace']],
] as const;

/** Returns the id of the shortcut that opens a page. */
export const navigationShortcutId = ({ label }: Pick<NavigationItem, 'label'>): string => `go ${label}`;

/** All keyboard shortcuts outside the editor, which has its own. */
export const bindings: readonly Binding[] = [
  {
    id: 'palette',
    group: 'Global',
    words: 'Command palette',
    keys: ['Mod+k', 'Mod+Shift+p'],
  },
  { id: 'help', group: 'Global', words: 'Keyboard shortcuts', keys: ['?'] },
  { id: 'new', group: 'Global', words: 'New workflow', keys: ['c'] },
  { id: 'theme', group: 'Global', words: 'Toggle light and dark theme', keys: ['Mod+Shift+l'] },
  ...navigationItems.map((item): Binding => ({
    id: navigationShortcutId(item),
    group: 'Go to',
    words: item.label,
    keys: [`g ${item.key}`],
  })),
  ...workflowKeys.map(([id, words, keys]): Binding => ({
    id: `workflow ${id}`,
    group: 'Workflows',
    words,
    keys,
  })),
  ...listRows.map(([id, words, keys]): Binding => ({
    id: `list ${id}`,
    group: 'Lists',
    words,
    keys,
    isFixed: true,
  })),
];

/** Returns the current sequences of a shortcut. */
export function keysForBinding(
  { id, keys }: Binding,
  chosen: Readonly<Record<string, string>>,
): readonly string[] {
  const assigned = chosen[id];
  return assigned === undefined ? keys : [assigned];
}

/**
 * Assigns a key to an action.
 * @returns the reason if the key is already in use
 */
export function setKeyBinding(id: string, sequence: string): string | undefined {
  const chosen = usePreferences.getState().keys;
  const rival = bindings.find(
    (binding) =>
      binding.id !== id && keysForBinding(binding, chosen).some((other) => getInTheWay(other, sequence)),
  );
  if (rival) return `"${sequence}" is already used for "${rival.words}".`;
  setPreferences({ keys: { ...chosen, [id]: sequence } });
  return undefined;
}

/** Whether one sequence is the beginning of the other, which would then be unreachable. */
const getInTheWay = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other} `) || other.startsWith(`${one} `);

/** Resets one action, or all, to the default keys. */
export function resetKeys(id?: string): void {
  const chosen = usePreferences.getState().keys;
  setPreferences({
    keys: id === undefined ? {} : Object.fromEntries(Object.entries(chosen).filter(([key]) => key !== id)),
  });
}

/** Returns the shortcuts available to the user, without those of hidden pages. */
export function useBindings(): readonly Binding[] {
  const shown = new Set(useVisibleNavigationItems().map(navigationShortcutId));
  return bindings.filter(({ id, group }) => group !== 'Go to' || shown.has(id));
}

/** Timeout for the second key of a sequence. */
const sequenceMs = 1_200;

/** Actions by id of the binding. */
export type KeyHandlers = Readonly<Record<string, () => void>>;

/**
 * Handles the shortcuts on the whole page.
 * @param handlers bindings without a handler are ignored
 * @param isReserved whether plain letters belong to the page, as in the editor
 */
export function useKeys(handlers: KeyHandlers, isReserved: boolean): void {
  const latest = useRef({ handlers, isReserved });
  useEffect(() => {
    latest.current = { handlers, isReserved };
  });
  useEffect(() => {
    const sequence = new KeySequence();
    const onKeyDown = (event: KeyboardEvent): void => {
      const chord = formatChord(event);
      if (event.defaultPrevented || event.repeat || chord === undefined) return;
      if (isTypingChord(chord) && (latest.current.isReserved || isTextInput(event.target))) return;
      const handler = latest.current.handlers[sequence.take(chord) ?? ''];
      if (!handler) return;
      event.preventDefault();
      handler();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => {
      window.removeEventListener('keydown', onKeyDown);
      sequence.forget();
    };
  }, []);
}

/** Tracks the first key of a sequence such as `g w` until the second. */
class KeySequence {
  #before: string | undefined;
  #stop: Dispose | undefined;

  /** Returns the id of the binding that the chord completes. */
  take(chord: string): string | undefined {
    const chosen = usePreferences.getState().keys;
    const sequence = this.#before === undefined ? chord : `${this.#before} ${chord}`;
    this.forget();
    const id = findBinding(sequence, chosen) ?? findBinding(chord, chosen);
    if (id === undefined && beginsBinding(chord, chosen)) {
      this.#before = chord;
      this.#stop = systemClock.after(sequenceMs, () => this.forget());
    }
    return id;
  }

  forget(): void {
    this.#stop?.();
    this.#before = undefined;
  }
}

type Chosen = Readonly<Record<string, string>>;

const findBinding = (sequence: string, chosen: Chosen): string | undefined =>
  bindings.find((binding) => keysForBinding(binding, chosen).includes(sequence))?.id;

const beginsBinding = (chord: string, chosen: Chosen): boolean =>
  bindings.some((binding) => keysForBinding(binding, chosen).some((keys) => keys.startsWith(`${chord} `)));
