import {
  createContext,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { JsonValue } from '../../../core/base/json.ts';
import type { AuthoredPath, OutlineDocument } from '../../../core/edit/outline.ts';
import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import type { Dispose } from '../../../core/base/clock.ts';
import { Listeners } from '../../../core/base/emitter.ts';
import { systemClock } from '../../base/clock.ts';
import type { EditorSession } from '../session/editor-session.ts';
import type { EditRequest, AuthoredValue } from '../../../core/edit/edit-request.ts';
import type { FieldSpec, FormKind } from './field-specs.ts';
import type { FieldState, Target } from '../../../core/edit/inspect.ts';

/** Which field is drawn, and the path of its value. */
export interface RowProps {
  readonly spec: FieldSpec;
  readonly path: AuthoredPath;
}

/** A message about a problem. */
export type FieldIssue = Pick<Diagnostic, 'severity' | 'message'>;

/** A message about a completed action, shown and announced by screen readers. */
export interface FieldMessage {
  readonly text: string;
  /** The edit that undo would revert, if something was removed. */
  readonly undoes?: string;
}

/** A form and what its fields need. */
export interface Form {
  readonly session: EditorSession;
  readonly kind: FormKind;
  readonly target: Target;
  /** Document index of a further workflow in the file. */
  readonly document: number | undefined;
  /** The workflow in the latest analysis. */
  readonly outline: OutlineDocument | undefined;
  readonly getState: (path: AuthoredPath) => FieldState | undefined;
  /** Whether several targets have different values at the path. */
  readonly isMixed: (path: AuthoredPath) => boolean;
  /** Sets a value; undefined removes it. @returns whether the edit was accepted */
  readonly set: (path: AuthoredPath, to: AuthoredValue | undefined) => Promise<boolean>;
  /** Applies another edit on behalf of a field. */
  readonly edit: (path: AuthoredPath, request: EditRequest, label?: string) => Promise<boolean>;
  /**
   * Returns messages at or below a field or entry, including why an edit there was rejected.
   * @param rows paths of parts below that show their own messages
   */
  readonly issuesAt: (path: AuthoredPath, rows: readonly AuthoredPath[]) => readonly FieldIssue[];
  /** Reports a completed action. */
  readonly say: (said: FieldMessage) => void;
  readonly show: (state: FieldState) => void;
  /** Renders a field, for widgets that contain fields. */
  readonly Row: (props: RowProps) => React.ReactNode;
  /** Path of the field at the cursor of the code pane. */
  readonly current: string | undefined;
}

/** The search query for fields, in lower case; empty for none. */
export const FieldSearchContext = createContext('');

/** Whether a field matches the search query. */
export const matchesFilter = (field: FieldSpec, searchText: string): boolean =>
  searchText === '' ||
  [field.name, field.label, field.description].some((text) => text.toLowerCase().includes(searchText)) ||
  field.fields.some((below) => matchesFilter(below, searchText));

const FormContext = createContext<Form | undefined>(undefined);
export const FormProvider = FormContext.Provider;

/** Returns the form from context. */
export function useForm(): Form {
  const form = useContext(FormContext);
  if (!form) throw new Error('useForm is used outside FormProvider');
  return form;
}

/** Props of a widget. */
export interface WidgetProps {
  readonly path: AuthoredPath;
  readonly state: FieldState | undefined;
  readonly label: string;
  readonly example?: string | undefined;
  /** Id of the control that the label belongs to. */
  readonly inputId: string;
  readonly describedBy: string | undefined;
  readonly isInvalid: boolean;
  readonly isMixed: boolean;
  readonly spec: FieldSpec;
}

/** Converts a value to be written; undefined for none. */
export const written = (value: JsonValue | undefined): AuthoredValue | undefined =>
  value === undefined ? undefined : { value };

/** Whether a value can be shown where a string is expected. */
export const isScalarValue = (value: JsonValue | undefined): value is string | number | boolean | null =>
  value === undefined || value === null || typeof value !== 'object';

export const getValueText = (value: JsonValue | undefined): string =>
  value === undefined || value === null
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);

/** Pause after the last key press before a field is written. */
const pauseMs = 150;

interface DraftOptions {
  /** The value in the document. */
  readonly text: string;
  /** Writes the typed text. @returns whether it was accepted */
  readonly commit: (text: string) => Promise<boolean>;
  /** Whether it is written while typing; otherwise on Enter and on blur. */
  readonly isLive?: boolean;
}

/** Holds the typed text of a field until the document matches; changes from other views show immediately. */
export class Draft {
  #options: DraftOptions;
  /** The typed text, and the document's value when it was typed or written. */
  #typed: { readonly value: string; readonly over: string } | undefined;
  #isUnwritten = false;
  #pending = 0;
  #cancel: Dispose | undefined;
  readonly #listeners = new Listeners();

  constructor(options: DraftOptions) {
    this.#options = options;
  }

  readonly subscribe = this.#listeners.add;

  /** Returns the typed text that differs from the document. */
  readTyped = (): string | undefined => this.#typed?.value;

  /** Returns the text in the field. */
  read = (): string => this.#typed?.value ?? this.#options.text;

  /** Updates the draft to the current document. */
  follow(options: DraftOptions): void {
    this.#options = options;
    if (this.#typed === undefined || this.#isUnwritten || this.#pending > 0) return;
    if (this.#typed.over !== options.text) this.#show(undefined);
  }

  change = (value: string): void => {
    this.#isUnwritten = true;
    this.#cancel?.();
    this.#cancel = this.#options.isLive === false ? undefined : systemClock.after(pauseMs, this.flush);
    this.#show({ value, over: this.#options.text });
  };

  /** Writes pending text immediately. */
  flush = (): void => {
    this.#cancel?.();
    if (!this.#isUnwritten || this.#typed === undefined) return;
    this.#isUnwritten = false;
    this.#pending += 1;
    void this.#options.commit(this.#typed.value).then((isTaken) => {
      this.#pending -= 1;
      // Rejected text stays, so that it can be corrected.
      if (!isTaken || this.#isUnwritten || this.#pending > 0 || this.#typed === undefined) return;
      this.#show({ ...this.#typed, over: this.#options.text });
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
export function useDraft(options: DraftOptions): { readonly draft: Draft; readonly value: string } {
  const [draft] = useState(() => new Draft(options));
  useLayoutEffect(() => draft.follow(options));
  useEffect(() => draft.flush, [draft]);
  // For another step, the field has that step's value immediately, not the draft's previous one.
  return { draft, value: useSyncExternalStore(draft.subscribe, draft.readTyped) ?? options.text };
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
