import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Dispose } from '../../../../core/base/clock.ts';
import { Listeners } from '../../../../core/base/listeners.ts';
import { systemClock } from '../../../app/clock.ts';

/** Pause after the last key press before a field is written. */
const pauseMs = 150;

interface DraftDeps {
  /** The value in the document. */
  readonly text: string;
  /** Writes the typed text. @returns whether it was accepted */
  readonly commit: (text: string) => Promise<boolean>;
  /** Whether it is written while typing; otherwise on Enter and on blur. */
  readonly isLive?: boolean;
}

/** Holds the typed text of a field until the document matches; changes from other views show immediately. */
export class Draft {
  #deps: DraftDeps;
  /** The typed text, and the document's value when it was typed or written. */
  #typed: { readonly value: string; readonly over: string } | undefined;
  #isUnwritten = false;
  #pending = 0;
  #cancel: Dispose | undefined;
  readonly #listeners = new Listeners();

  constructor(deps: DraftDeps) {
    this.#deps = deps;
  }

  readonly subscribe = this.#listeners.add;

  /** Returns the typed text that differs from the document. */
  readTyped = (): string | undefined => this.#typed?.value;

  /** Returns the text that the field shows. */
  read = (): string => this.#typed?.value ?? this.#deps.text;

  /** Updates the draft to the current document. */
  follow(deps: DraftDeps): void {
    this.#deps = deps;
    if (this.#typed === undefined || this.#isUnwritten || this.#pending > 0) return;
    if (this.#typed.over !== deps.text) this.#show(undefined);
  }

  change = (value: string): void => {
    this.#isUnwritten = true;
    this.#cancel?.();
    this.#cancel = this.#deps.isLive === false ? undefined : systemClock.after(pauseMs, this.flush);
    this.#show({ value, over: this.#deps.text });
  };

  /** Writes pending text immediately. */
  flush = (): void => {
    this.#cancel?.();
    if (!this.#isUnwritten || this.#typed === undefined) return;
    this.#isUnwritten = false;
    this.#pending += 1;
    void this.#deps.commit(this.#typed.value).then((isTaken) => {
      this.#pending -= 1;
      // Rejected text stays, so that it can be corrected.
      if (!isTaken || this.#isUnwritten || this.#pending > 0 || this.#typed === undefined) return;
      this.#show({ ...this.#typed, over: this.#deps.text });
    });
  };

  /** On blur, the field reverts to the document's value. */
  leave = (): void => {
    this.flush();
    if (this.#pending === 0) this.#show(undefined);
  };

  /** Discards the typed text. */
  abandon = (): void => {
    this.#cancel?.();
    this.#isUnwritten = false;
    this.#show(undefined);
  };

  #show(typed: { readonly value: string; readonly over: string } | undefined): void {
    this.#typed = typed;
    this.#listeners.notify();
  }
}

/** Creates a draft over the document's value; typed text is written when the field unmounts. */
export function useDraft(deps: DraftDeps): { readonly draft: Draft; readonly value: string } {
  const [draft] = useState(() => new Draft(deps));
  useLayoutEffect(() => draft.follow(deps));
  useEffect(() => draft.flush, [draft]);
  // For another step, the field shows that step's value immediately, not the draft's previous one.
  return { draft, value: useSyncExternalStore(draft.subscribe, draft.readTyped) ?? deps.text };
}

/** Keeps the cursor position when the value is set from outside. */
export function useStableCaret<Element extends HTMLInputElement | HTMLTextAreaElement>(
  value: string,
): React.RefObject<Element | null> {
  const control = useRef<Element>(null);
  const at = useRef(0);
  useEffect(() => {
    const element = control.current;
    const note = (): void => {
      at.current = element?.selectionStart ?? 0;
    };
    const events = ['select', 'keyup', 'input', 'pointerup'] as const;
    for (const event of events) element?.addEventListener(event, note);
    return () => {
      for (const event of events) element?.removeEventListener(event, note);
    };
  }, []);
  useLayoutEffect(() => {
    const element = control.current;
    if (!element || document.activeElement !== element || element.selectionStart === at.current) return;
    const caret = Math.min(at.current, value.length);
    element.setSelectionRange(caret, caret);
  }, [value]);
  return control;
}
