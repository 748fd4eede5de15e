import { useState, useMemo } from 'react';
import styles from './settings.module.css';

interface SettingSectionProps {
  readonly title: string;
  readonly action?: React.ReactNode;
  readonly children: React.ReactNode;
}

/** A group of settings. */
export function SettingSection({ title, action, children }: SettingSectionProps) {
  return (
    <section className={styles.section} aria-label={title}>
      <div className={styles.sectionHead}>
        <h2>{title}</h2>
        {action}
      </div>
      <div className={styles.rows}>{children}</div>
    </section>
  );
}

interface SettingRowProps {
  readonly label: string;
  readonly help?: React.ReactNode;
  /** Why the entered value is invalid. */
  readonly error?: string | undefined;
  /** The control. */
  readonly children: React.ReactNode;
}

/** A setting: label, description and control. */
export function SettingRow({ label, help, error, children }: SettingRowProps) {
  return (
    <div className={styles.row}>
      <div>
        <p className={styles.label}>{label}</p>
        {help !== undefined && <p className={styles.help}>{help}</p>}
        {error !== undefined && (
          <p className={styles.error} role="alert">
            {error}
          </p>
        )}
      </div>
      {children}
    </div>
  );
}

export interface TypedSetting {
  /** The current value. */
  readonly value: string;
  /** Returns why a text is invalid, as a sentence; undefined if it is valid. */
  readonly check?: (text: string) => string | undefined;
  readonly onCommit: (text: string) => void;
}

/** A typed setting. It is saved on blur, unless it is invalid: then the reason is shown and the text stays. */
export function useTypedSetting({ value, check, onCommit }: TypedSetting) {
  const [text, setText] = useState(value);
  const [blurred, setBlurred] = useState(value);
  const error = text === blurred ? check?.(blurred.trim()) : undefined;
  return {
    error,
    input: {
      value: text,
      'aria-invalid': error !== undefined || undefined,
      onChange: ({ target }: React.ChangeEvent<HTMLInputElement>): void => setText(target.value),
      onBlur: (): void => {
        setBlurred(text);
        const newValue = text.trim();
        if (newValue !== value && check?.(newValue) === undefined) onCommit(newValue);
      },
    },
  };
}

/** Options with all time zones, for a datalist. */
export function ZoneOptions() {
  const zones = useMemo(
    () => ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')],
    [],
  );
  return zones.map((zone) => (
    <option key={zone} value={zone}>
      {zone.replaceAll('_', ' ')}
    </option>
  ));
}
