import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import {
  Input,
  Label,
  Text,
  TextField as AriaTextField,
  ToggleButton,
  Button,
  SearchField as AriaSearchField,
} from 'react-aria-components';
import { Eye, EyeOff, Search, X, type LucideIcon } from 'lucide-react';
import { type FieldError, readFieldErrors } from '../format/error-text.ts';
import styles from './fields.module.css';

interface Scope {
  /** Of the last error; a new array for each, even with the same contents. */
  readonly errors: readonly FieldError[];
  /** Names of the fields that show their own messages. */
  readonly shown: readonly string[];
  /** Registers a field; returns a function that unregisters it. */
  readonly claim: (name: string) => () => void;
}

const none: readonly FieldError[] = [];
const ScopeContext = createContext<Scope>({ errors: none, shown: [], claim: () => () => {} });

interface FieldErrorScopeProps {
  /** The engine's error; undefined if there is none. */
  readonly error: unknown;
  readonly children: React.ReactNode;
}

/** A form whose named fields show the engine's messages about them; the first such field takes the focus. */
export function FieldErrorScope({ error, children }: FieldErrorScopeProps) {
  const errors = useMemo(() => (error ? readFieldErrors(error) : none), [error]);
  const [shown, setShown] = useState<readonly string[]>([]);
  const claim = useCallback((name: string) => {
    setShown((before) => [...before, name]);
    return () => setShown((before) => before.filter((other) => other !== name));
  }, []);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (errors.length > 0) box.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [errors]);
  const scope = useMemo(() => ({ errors, shown, claim }), [errors, shown, claim]);
  return (
    <ScopeContext value={scope}>
      <div ref={box} className={styles.scope}>
        {children}
      </div>
    </ScopeContext>
  );
}

/**
 * Returns the engine's message about a field; undefined once its value has changed.
 * @param name field name in the API; messages about its parts, such as `secrets.0` of `secrets`, are included
 */
export function useFieldError(name: string | undefined, value: string): string | undefined {
  const { errors, claim } = useContext(ScopeContext);
  useEffect(() => (name === undefined ? undefined : claim(name)), [name, claim]);
  const [rejected, setRejected] = useState({ errors, value });
  if (rejected.errors !== errors) setRejected({ errors, value });
  if (name === undefined || rejected.errors !== errors || rejected.value !== value) return undefined;
  const problems = errors.filter(({ field }) => isWithin(field, name)).map(({ problem }) => problem);
  return problems.length === 0 ? undefined : problems.join(' ');
}

/** The engine's message about a control other than a text field, shown below it. */
export function FieldErrorLine({ name, value }: { readonly name: string; readonly value: string }) {
  const message = useFieldError(name, value);
  return message === undefined ? null : <span className={styles.fault}>{message}</span>;
}

/** Returns the messages that belong to no field of the form, and whether there are other messages. */
export function useUnclaimedErrors(): {
  readonly others: readonly FieldError[];
  readonly hasFaults: boolean;
} {
  const { errors, shown } = useContext(ScopeContext);
  const others = errors.filter(({ field }) => !shown.some((name) => isWithin(field, name)));
  return { others, hasFaults: errors.length > 0 };
}

const isWithin = (field: string, name: string): boolean => field === name || field.startsWith(`${name}.`);

interface TextFieldProps {
  readonly label: string;
  /** Form field name, also used in the API; the engine's message about it is shown here. */
  readonly name?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly description?: string;
  readonly autoFocus?: boolean;
  /** Value that the browser may fill in; nothing by default. */
  readonly autoComplete?: 'username';
  /** Default: text. The value of a date is `2026-01-31`. */
  readonly type?: 'text' | 'date' | 'time' | 'datetime-local' | 'number';
  /** Limits of a number. */
  readonly limits?: { readonly min?: number; readonly max?: number; readonly step: number | 'any' };
  /** Readable and copyable but not editable; the description gives the reason. */
  readonly isReadOnly?: boolean;
  /** Marked as required; not validated here. */
  readonly isRequired?: boolean;
  /** Whether the text is prose. */
  readonly isProse?: boolean;
  /** Why the value is invalid; replaces the description. */
  readonly error?: string | undefined;
  /** A button at the end of the field. */
  readonly action?: { readonly label: string; readonly icon: LucideIcon; readonly onPress: () => void };
}

/** Selects a default value on focus, so that typing replaces it. */
const selectAll = (event: React.FocusEvent<HTMLInputElement>): void => event.target.select();

/** A labeled text field, in the code font because it contains data, unless it is prose. */
export function TextField({
  label,
  description,
  autoComplete,
  isProse,
  error,
  limits,
  type = 'text',
  action,
  ...props
}: TextFieldProps) {
  const fieldError = useFieldError(props.name, props.value);
  const message = error ?? fieldError;
  const note = message ?? description;
  return (
    <AriaTextField
      {...props}
      type={type}
      className={styles.field}
      isInvalid={message !== undefined}
      validationBehavior="aria"
    >
      <FieldLabel label={label} isRequired={props.isRequired} />
      <div className={action && styles.secret}>
        <Input
          {...limits}
          className={styles.input}
          data-prose={isProse || undefined}
          dir="auto"
          spellCheck="false"
          autoCapitalize="none"
          autoComplete={autoComplete ?? 'off'}
          onFocus={selectAll}
        />
        {action && (
          <Button className={styles.reveal} aria-label={action.label} onPress={action.onPress}>
            <action.icon size={14} aria-hidden="true" />
          </Button>
        )}
      </div>
      {note !== undefined && (
        <Text slot="description" className={styles.help}>
          {note}
        </Text>
      )}
    </AriaTextField>
  );
}

/** The label of a field, with a mark if it is required. */
export function FieldLabel({
  label,
  isRequired = false,
}: {
  readonly label: string;
  readonly isRequired?: boolean | undefined;
}) {
  return (
    <div className={styles.labelLine}>
      <Label className={styles.label}>{label}</Label>
      {isRequired && (
        <span className={styles.needed} aria-hidden="true">
          required
        </span>
      )}
    </div>
  );
}

interface PasswordFieldProps {
  readonly label: string;
  /** Form field name, also used in the API; the engine's message about it is shown here. */
  readonly name?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Hint for password managers: fill in or generate a password. */
  readonly kind: 'current' | 'new';
  readonly description?: string;
  readonly autoFocus?: boolean;
  /** Marked as required; not validated here. */
  readonly isRequired?: boolean;
}

/** A labeled password field whose text can be revealed, so that it need not be typed twice. */
export function PasswordField({ label, kind, description, ...props }: PasswordFieldProps) {
  const [isVisible, setVisible] = useState(false);
  const message = useFieldError(props.name, props.value);
  const note = message ?? description;
  return (
    <AriaTextField
      {...props}
      type={isVisible ? 'text' : 'password'}
      className={styles.field}
      isInvalid={message !== undefined}
      validationBehavior="aria"
    >
      <FieldLabel label={label} isRequired={props.isRequired} />
      <div className={styles.secret}>
        <Input
          className={styles.input}
          spellCheck="false"
          autoCapitalize="none"
          autoComplete={`${kind}-password`}
        />
        <ToggleButton
          className={styles.reveal}
          aria-label={`Show ${label.toLowerCase()}`}
          isSelected={isVisible}
          onChange={setVisible}
        >
          {isVisible ? <EyeOff size={14} aria-hidden="true" /> : <Eye size={14} aria-hidden="true" />}
        </ToggleButton>
      </div>
      {note !== undefined && (
        <Text slot="description" className={styles.help}>
          {note}
        </Text>
      )}
    </AriaTextField>
  );
}

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder: string;
  /** Icon of the searched subject, instead of the default. */
  readonly icon?: LucideIcon;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A search field that filters a list while typing; Escape clears it. */
export function SearchField(props: SearchFieldProps) {
  const { label, placeholder, icon: Icon = Search, value, onChange } = props;
  return (
    <AriaSearchField aria-label={label} value={value} onChange={onChange} className={styles.search}>
      <Icon size={16} aria-hidden="true" />
      <Input placeholder={placeholder} dir="auto" className={styles.searchInput} />
      {value !== '' && (
        <Button className={styles.searchClear} aria-label="Clear">
          <X size={14} aria-hidden="true" />
        </Button>
      )}
    </AriaSearchField>
  );
}
