import { Text, TextArea, TextField } from 'react-aria-components';
import { FieldLabel, useFieldError } from './fields.tsx';
import controls from './fields.module.css';

interface MultilineFieldProps {
  readonly label: string;
  /** Field name in the API; the engine's message about it is shown here. */
  readonly name?: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** Number of visible lines. Default: fills the available height. */
  readonly rows?: number;
  readonly placeholder?: string;
  /** Help text; replaced by an error. */
  readonly help?: string;
  /** Why the value is invalid. */
  readonly error?: string | undefined;
  /** Whether the text is prose. */
  readonly isProse?: boolean;
  /** Marked as required; not validated here. */
  readonly isRequired?: boolean;
}

/** A multi-line field for data, without correction, capitalization or wrapping unless it is prose. */
export function MultilineField(props: MultilineFieldProps) {
  const {
    label,
    text,
    onChange,
    rows,
    placeholder,
    help,
    error,
    isProse = false,
    isRequired = false,
  } = props;
  const fieldError = useFieldError(props.name, text);
  const message = error ?? fieldError;
  const note = message ?? help;
  return (
    <TextField
      className={controls.textBoxField}
      value={text}
      onChange={onChange}
      isInvalid={message !== undefined}
      isRequired={isRequired}
      validationBehavior="aria"
      data-fills={rows === undefined || undefined}
    >
      <FieldLabel label={label} isRequired={isRequired} />
      <TextArea
        className={controls.area}
        rows={rows}
        placeholder={placeholder ?? ''}
        {...(isProse
          ? { dir: 'auto', 'data-prose': '' }
          : { spellCheck: 'false', autoCapitalize: 'none', wrap: 'off' })}
      />
      {note !== undefined && (
        <Text slot="description" className={controls.help}>
          {note}
        </Text>
      )}
    </TextField>
  );
}
