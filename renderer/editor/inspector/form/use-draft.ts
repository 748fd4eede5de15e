import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Dispose } from '../../../../core/base/clock.ts';
import { Listeners } from '../../../../core/base/listeners.ts';
import { systemClock } from '../../../app/clock.ts';

/** Pause in the typing after which a field is written. */
const pauseMs = 150;

interface DraftParts {
  /** What the document says. */
  readonly text: string;
  /** Writes what was typed. @returns whether it was not refused */
  readonly commit: (text: string) => Promise<boolean>;
  /** Whether it is written while typing; else on Enter and when the field is left. */
  readonly isLive?: boolean;
}

/** What is typed in a field until the document says the same; a change from elsewhere shows at once. */
export class Draft {
  #parts: DraftParts;
  /** What is typed, and what the document said when it was, or when it was written. */
  #typed: { readonly value: string; readonly over: string } | undefined;
  #isUnwritten = false;
  #pending = 0;
  #cancel: Dispose | undefined;
  readonly #listeners = new Listeners();

  constructor(parts: DraftParts) {
    this.#parts = parts;
  }

  readonly subscribe = this.#listeners.add;

  /** What is typed over what the document says. */
  readTyped = (): string | undefined => this.#typed?.value;

  /** What the field shows. */
  read = (): string => this.#typed?.value ?? this.#parts.text;

  /** Takes note of what the document says by now. */
  follow(parts: DraftParts): void {
    this.#parts = parts;
    if (this.#typed === undefined || this.#isUnwritten || this.#pending > 0) return;
    if (this.#typed.over !== parts.text) this.#show(undefined);
  }

  change = (value: string): void => {
    this.#isUnwritten = true;
    this.#cancel?.();
    this.#cancel = this.#parts.isLive === false ? undefined : systemClock.after(pauseMs, this.flush);
    this.#show({ value, over: this.#parts.text });
  };

  /** Writes at once what has not been written. */
  flush = (): void => {
    this.#cancel?.();
    if (!this.#isUnwritten || this.#typed === undefined) return;
    this.#isUnwritten = false;
    this.#pending += 1;
    void this.#parts.commit(this.#typed.value).then((isTaken) => {
      this.#pending -= 1;
      // What was refused stays, so that it can be mended.
      if (!isTaken || this.#isUnwritten || this.#pending > 0 || this.#typed === undefined) return;
      this.#show({ ...this.#typed, over: this.#parts.text });
    });
  };

  /** The field is left: what it says is what the document says. */
  leave = (): void => {
    this.flush();
    if (this.#pending === 0) this.#show(undefined);
  };

  /** Forgets what was typed. */
  abandon = (): void => {
    this.#cancel?.();
    this.#isUnwritten = false;
    this.#show(undefined);
  };

  #show(typed: { readonly value: string; readonly over: string } | undefined): void {
    this.#typed = typed;
    this.#listeners.tell();
  }
}

/** A draft over what the document says; what was typed is not lost with the field. */
export function useDraft(parts: DraftParts): { readonly draft: Draft; readonly value: string } {
  const [draft] = useState(() => new Draft(parts));
  useLayoutEffect(() => draft.follow(parts));
  useEffect(() => draft.flush, [draft]);
  // Of another step the field shows at once what that one says, not what the draft was told last.
  return { draft, value: useSyncExternalStore(draft.subscribe, draft.readTyped) ?? parts.text };
}

/** Keeps the cursor where it is when a value is set from elsewhere. */
export function useCaret<Element extends HTMLInputElement | HTMLTextAreaElement>(
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
    const place = Math.min(at.current, value.length);
    element.setSelectionRange(place, place);
  }, [value]);
  return control;
}
