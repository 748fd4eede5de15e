import { useEffect, useRef } from 'react';
import type { Dispose } from '../../../core/base/clock.ts';
import { systemClock } from '../clock.ts';
import { usePreferences } from '../preferences.ts';
import { bindings, keysForBinding } from './bindings.ts';
import { isTypingChord, isTextInput, formatChord } from './key-names.ts';

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
