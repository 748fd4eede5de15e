import { useState, useMemo } from 'react';
import { Lock, RotateCcw } from 'lucide-react';
import type { SettingView } from '../../../core/contract/config.ts';
import type { EditableSetting } from '../../../core/model/editable-settings.ts';
import { useSetSetting } from '../../api/config-queries.ts';
import { errorText, readFieldErrors } from '../../format/error-text.ts';
import { NativeSelect } from '../../ui/choices.tsx';
import { IconButton } from '../../ui/button.tsx';
import { showToast } from '../../ui/toasts.tsx';
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

interface SourceProps {
  readonly setting: SettingView;
  /** Path of the configuration file. */
  readonly file: string;
}

/** Whether a variable or an option overrides the configuration file. */
export const isOverridden = ({ source }: SettingView): boolean =>
  source === 'variable' || source === 'option';

/** Where the value of a setting comes from. */
export function SettingSource({ setting, file }: SourceProps) {
  const { source, name, line } = setting;
  if (source === 'default') return <span className={styles.source}>Default</span>;
  if (source === 'file')
    return (
      <span className={styles.source} title={`${file}:${line}`}>
        {file.split(/[/\\]/).at(-1)}, line {line}
      </span>
    );
  return (
    <span className={styles.source}>
      <Lock size={12} aria-hidden="true" />
      <span>
        Set by <code>{name}</code>; change it there
      </span>
    </span>
  );
}

interface EngineSettingProps extends SourceProps {
  readonly label: string;
  readonly help: string;
  /** Shown while the value is empty. */
  readonly placeholder?: string;
  /** For a choice among a few values. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  /** Further options, for a choice among many values. */
  readonly options?: React.ReactNode;
  readonly unit?: string;
}

/** A setting of the configuration file: its control, where the value comes from, and a reset to the default. */
export function EngineSetting(props: EngineSettingProps) {
  const { setting, file, label, help } = props;
  const { set, error, isPending, reset } = useSetSetting();
  const key = setting.key as EditableSetting;
  const save = (value: string | null): void =>
    set({ key, value }, () => showToast('info', `${label} saved.`));
  const [problem] = error === null ? [] : readFieldErrors(error);
  return (
    <SettingRow
      label={label}
      help={
        <>
          {help} · <SettingSource setting={setting} file={file} />
          {setting.restartPending && <span className={styles.pending}>Restart to apply</span>}
        </>
      }
      error={error === null ? undefined : (problem?.problem ?? errorText(error))}
    >
      <div className={styles.engineControl}>
        {setting.source === 'file' && (
          <IconButton
            label={`Reset ${label.toLowerCase()} to default${setting.defaultValue === '' ? '' : ` (${setting.defaultValue})`}`}
            icon={RotateCcw}
            size="small"
            isDisabled={isPending}
            onPress={() => save(null)}
          />
        )}
        <SettingControl
          key={setting.value}
          {...props}
          isInvalid={error !== null}
          onEdit={reset}
          onSave={save}
        />
      </div>
    </SettingRow>
  );
}

interface ControlProps extends EngineSettingProps {
  readonly isInvalid: boolean;
  readonly onEdit: () => void;
  readonly onSave: (value: string | null) => void;
}

/** A select, or a text field that is saved on Enter and on blur. */
function SettingControl(props: ControlProps) {
  const { setting, label, placeholder, choices, options, unit, isInvalid, onEdit, onSave } = props;
  const [text, setText] = useState(setting.value);
  const commit = (): void => {
    const value = text.trim();
    if (value !== setting.value) onSave(value === '' ? null : value);
  };
  if (choices !== undefined)
    return (
      <NativeSelect
        aria-label={label}
        value={setting.value}
        disabled={isOverridden(setting)}
        aria-invalid={isInvalid || undefined}
        onChange={({ target }) => onSave(target.value === '' ? null : target.value)}
      >
        {choices.map(({ value, label: words }) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
        {options}
      </NativeSelect>
    );
  return (
    <>
      <input
        className={`${styles.input} ${styles.shortInput}`}
        aria-label={unit === undefined ? label : `${label} (${unit})`}
        aria-invalid={isInvalid || undefined}
        disabled={isOverridden(setting)}
        placeholder={placeholder}
        spellCheck={false}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          if (isInvalid) onEdit();
        }}
        onKeyDown={({ key }) => {
          if (key === 'Enter') commit();
          if (key === 'Escape') setText(setting.value);
        }}
        // A rejected value stays until it is edited.
        onBlur={() => !isInvalid && commit()}
      />
      <span className={styles.unit}>{unit}</span>
    </>
  );
}
