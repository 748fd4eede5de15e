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
