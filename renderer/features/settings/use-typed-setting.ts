import { useState } from 'react';

export interface TypedSetting {
  /** As it is set. */
  readonly value: string;
  /** What is wrong with a text, as a sentence; undefined when nothing is. */
  readonly check?: (text: string) => string | undefined;
  readonly onCommit: (text: string) => void;
}

/**
 * A setting that is typed. It counts when the person leaves its field, unless something is wrong with it: then that is
 * said, and what was typed stays.
 */
export function useTypedSetting({ value, check, onCommit }: TypedSetting) {
  const [text, setText] = useState(value);
  const [left, setLeft] = useState(value);
  const fault = text === left ? check?.(left.trim()) : undefined;
  return {
    fault,
    input: {
      value: text,
      'aria-invalid': fault !== undefined || undefined,
      onChange: ({ target }: React.ChangeEvent<HTMLInputElement>): void => setText(target.value),
      onBlur: (): void => {
        setLeft(text);
        const wanted = text.trim();
        if (wanted !== value && check?.(wanted) === undefined) onCommit(wanted);
      },
    },
  };
}
