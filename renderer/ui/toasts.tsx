import { CircleAlert, CircleCheck, X, Check, Copy } from 'lucide-react';
import { create } from 'zustand';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { Dispose } from '../../core/base/clock.ts';
import { systemClock } from '../base/clock.ts';
import { errorText } from '../format/error-text.ts';
import { Button, IconButton } from './button.tsx';
import styles from './overlay.module.css';

/** The action of a toast. */
interface ToastAction {
  /** `Undo`, or another verb. */
  readonly label: string;
  readonly run: () => void;
  /** Called when the toast is closed without the action. */
  readonly onExpire?: () => void;
}

interface Toast {
  readonly id: number;
  readonly tone: 'info' | 'error';
  readonly text: string;
  readonly action?: ToastAction | undefined;
  readonly shownAt: number;
}

const shownMs = 8_000;
/** An undo action stays long enough to reconsider. */
const undoMs = 10_000;
/** Maximum time between the message of an action and its navigation. */
const navigationMs = 1_000;
const maxShown = 3;
const useToasts = create<{ readonly toasts: readonly Toast[] }>(() => ({ toasts: [] }));
const timers = new Map<number, Dispose>();
let nextId = 1;

/**
 * Displays a message that needs no decision. Errors stay until closed.
 * @param action button of the toast; using it closes the toast
 */
export function showToast(tone: Toast['tone'], text: string, action?: ToastAction): void {
  const toast: Toast = { id: nextId, tone, text, action, shownAt: systemClock.now() };
  nextId += 1;
  const shown = [...useToasts.getState().toasts, toast];
  useToasts.setState({ toasts: shown });
  for (const { id } of shown.slice(0, -maxShown)) dismiss(id);
  resume(toast);
}

function dismiss(id: number): void {
  take(id)?.action?.onExpire?.();
}

/** Removes a toast; undefined if it is already removed. */
function take(id: number): Toast | undefined {
  hold(id);
  const { toasts } = useToasts.getState();
  useToasts.setState({ toasts: toasts.filter((toast) => toast.id !== id) });
  return toasts.find((toast) => toast.id === id);
}

function hold(id: number): void {
  timers.get(id)?.();
  timers.delete(id);
}

function resume({ id, tone, action }: Toast): void {
  if (tone === 'error') return;
  hold(id);
  timers.set(
    id,
    systemClock.after(action ? undoMs : shownMs, () => dismiss(id)),
  );
}

/**
 * Removes the messages about the page that is left. Errors stay, as do messages with an action, and those of an
 * action that leads to another page.
 */
function clearMessages(): void {
  const before = systemClock.now() - navigationMs;
  for (const { id, tone, action, shownAt } of useToasts.getState().toasts)
    if (tone === 'info' && action === undefined && shownAt < before) dismiss(id);
}

/** The region of all toasts; rendered once in the application. */
export function ToastRegion() {
  const toasts = useToasts((state) => state.toasts);
  const [page] = useLocation();
  const shownPage = useRef(page);
  useEffect(() => {
    if (shownPage.current !== page) clearMessages();
    shownPage.current = page;
  }, [page]);
  return (
    <section className={styles.toasts} aria-label="Notifications">
      {toasts.map((toast) => (
        <ToastBox key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

/** A toast stays while it is hovered or focused. */
function ToastBox({ toast }: { readonly toast: Toast }) {
  const { id, tone, text, action } = toast;
  const Icon = tone === 'error' ? CircleAlert : CircleCheck;
  const wait = (): void => hold(id);
  const goOn = (): void => resume(toast);
  return (
    <div
      className={styles.toast}
      role={tone === 'error' ? 'alert' : 'status'}
      data-tone={tone}
      onPointerEnter={wait}
      onPointerLeave={goOn}
      onFocus={wait}
      onBlur={goOn}
    >
      <Icon size={16} aria-hidden="true" />
      <span dir="auto">{text}</span>
      {action && (
        <Button
          variant="quiet"
          size="small"
          onPress={() => {
            take(id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton label="Dismiss" icon={X} size="small" onPress={() => dismiss(id)} />
    </div>
  );
}

/** Displays why an action was rejected, if nothing on the page can show it. */
export const showError = (error: unknown): void => showToast('error', errorText(error));

const confirmedMs = 1_500;

interface CopyButtonProps {
  readonly label: string;
  /** The text, or a function that loads it. */
  readonly text: string | (() => Promise<string>);
  /** Whether the label is visible. */
  readonly isLabeled?: boolean;
}

/** Copies a text and confirms it for a moment. */
export function CopyButton({ label, text, isLabeled = false }: CopyButtonProps) {
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
  if (isLabeled)
    return (
      <Button size="small" icon={copied ? Check : Copy} onPress={() => void copy()}>
        {copied ? 'Copied' : label}
      </Button>
    );
  return (
    <IconButton
      label={copied ? 'Copied' : label}
      icon={copied ? Check : Copy}
      size="small"
      onPress={() => void copy()}
    />
  );
}
