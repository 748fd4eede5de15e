import { createContext, useContext } from 'react';
import type { JsonValue } from '../../../../core/base/json.ts';
import type { AuthoredPath, OutlineDocument } from '../../../../core/edit/outline.ts';
import type { Diagnostic } from '../../../../core/model/diagnostic.ts';
import type { EditorSession } from '../../session/editor-session.ts';
import type { EditRequest, Written } from '../reading/edit-request.ts';
import type { FieldSpec } from './field-specs.ts';
import type { FieldState, Target } from '../reading/field-state.ts';

/** Which field is drawn, and where its value stands. */
export interface RowProps {
  readonly spec: FieldSpec;
  readonly path: AuthoredPath;
}

/** What is wrong somewhere, in words. */
export type Fault = Pick<Diagnostic, 'severity' | 'message'>;

/** What was done, for everybody to read and for screen readers to say. */
export interface Said {
  readonly text: string;
  /** The edit that undo takes back, for one that removed something. */
  readonly undoes?: string;
}

/** A form and what its fields need. */
export interface Form {
  readonly session: EditorSession;
  readonly kind: 'step' | 'workflow';
  readonly target: Target;
  /** Of a further workflow of the file: the index of its document. */
  readonly document: number | undefined;
  /** The workflow as it was last looked at. */
  readonly outline: OutlineDocument | undefined;
  readonly stateOf: (path: AuthoredPath) => FieldState | undefined;
  /** Whether several targets have different values there. */
  readonly isMixed: (path: AuthoredPath) => boolean;
  /** Writes a value; undefined removes it. @returns whether it was not refused */
  readonly set: (path: AuthoredPath, to: Written | undefined) => Promise<boolean>;
  /** Makes another edit in the name of a field. */
  readonly edit: (path: AuthoredPath, request: EditRequest, label?: string) => Promise<boolean>;
  /**
   * What is wrong at or below a field or entry, and why an edit there was refused.
   * @param rows ways of what is below and says itself what is wrong with it
   */
  readonly faultsAt: (path: AuthoredPath, rows: readonly AuthoredPath[]) => readonly Fault[];
  /** Tells of something that was done. */
  readonly say: (said: Said) => void;
  readonly show: (state: FieldState) => void;
  /** Draws a field, for widgets that hold fields of their own. */
  readonly Row: (props: RowProps) => React.ReactNode;
  /** Way of the field that the cursor of the code pane is in. */
  readonly current: string | undefined;
}

/** What is searched for among the fields, in lower case; empty for nothing. */
export const WantedContext = createContext('');

/** Whether a field is meant by what is searched for. */
export const matchesFilter = (field: FieldSpec, wanted: string): boolean =>
  wanted === '' ||
  [field.name, field.label, field.description].some((text) => text.toLowerCase().includes(wanted)) ||
  field.fields.some((below) => matchesFilter(below, wanted));

const FormContext = createContext<Form | undefined>(undefined);
export const FormProvider = FormContext.Provider;

/** The form around a field. */
export function useForm(): Form {
  const form = useContext(FormContext);
  if (!form) throw new Error('useForm is used outside FormProvider');
  return form;
}

/** What a widget gets of its field. */
export interface WidgetProps {
  readonly path: AuthoredPath;
  readonly state: FieldState | undefined;
  readonly label: string;
  readonly example?: string | undefined;
  /** Of the control that the label belongs to. */
  readonly inputId: string;
  readonly describedBy: string | undefined;
  readonly isInvalid: boolean;
  readonly isMixed: boolean;
  readonly spec: FieldSpec;
}

/** A value to be written; undefined for nothing. */
export const written = (value: JsonValue | undefined): Written | undefined =>
  value === undefined ? undefined : { value };

/** What serves as text where a text is expected. */
export const isScalarValue = (value: JsonValue | undefined): value is string | number | boolean | null =>
  value === undefined || value === null || typeof value !== 'object';

export const textOfValue = (value: JsonValue | undefined): string =>
  value === undefined || value === null
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
