import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { systemClock } from '../../app/clock.ts';
import { showToast } from '../overlay/toasts.tsx';
import { IconButton } from './icon-button.tsx';

const confirmedMs = 1_500;

interface CopyButtonProps {
  readonly label: string;
  /** The text, or a function that loads it. */
  readonly text: string | (() => Promise<string>);
}

/** Copies a text and confirms it for a moment. */
export function CopyButton({ label, text }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => (copied ? systemClock.after(confirmedMs, () => setCopied(false)) : undefined), [copied]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text());
      setCopied(true);
    } catch {
      showToast('error', 'Could not copy: this page has no access to the clipboard.');
    }
  };
  return (
    <IconButton
      label={copied ? 'Copied' : label}
      icon={copied ? Check : Copy}
      size="small"
      onPress={() => void copy()}
    />
  );
}
