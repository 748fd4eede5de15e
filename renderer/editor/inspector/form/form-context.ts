import { createContext, useContext } from 'react';
import type { JsonValue } from '../../../../core/base/json.ts';
import type { AuthoredPath, OutlineDocument } from '../../../../core/edit/outline.ts';
import type { Diagnostic } from '../../../../core/model/diagnostic.ts';
import type { EditorSession } from '../../session/editor-session.ts';
import type { EditRequest, AuthoredValue } from '../reading/edit-request.ts';
import type { FieldSpec } from './field-specs.ts';
import type { FieldState, Target } from '../reading/field-state.ts';

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
  readonly kind: 'step' | 'workflow';
  readonly target: Target;
  /** Document index of a further workflow in the file. */
  readonly document: number | undefined;
  /** The workflow in the latest analysis. */
  readonly outline: OutlineDocument | undefined;
  readonly stateOf: (path: AuthoredPath) => FieldState | undefined;
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

export const textOfValue = (value: JsonValue | undefined): string =>
  value === undefined || value === null
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
