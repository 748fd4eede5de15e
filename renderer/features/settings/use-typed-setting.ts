import { useState } from 'react';

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
  const [left, setLeft] = useState(value);
  const error = text === left ? check?.(left.trim()) : undefined;
  return {
    error,
    input: {
      value: text,
      'aria-invalid': error !== undefined || undefined,
      onChange: ({ target }: React.ChangeEvent<HTMLInputElement>): void => setText(target.value),
      onBlur: (): void => {
        setLeft(text);
        const newValue = text.trim();
        if (newValue !== value && check?.(newValue) === undefined) onCommit(newValue);
      },
    },
  };
}
