import { CircleAlert, X } from 'lucide-react';
import { create } from 'zustand';
import { systemClock } from '../../app/clock.ts';
import { IconButton } from '../controls/icon-button.tsx';
import styles from './overlay.module.css';

interface Toast {
  readonly id: number;
  readonly tone: 'info' | 'error';
  readonly text: string;
}

const shownMs = 8_000;
const useToasts = create<{ readonly toasts: readonly Toast[] }>(() => ({ toasts: [] }));
let nextId = 1;

/** Tells the user something that needs no decision. Errors stay until closed. */
export function showToast(tone: Toast['tone'], text: string): void {
  const toast = { id: nextId, tone, text };
  nextId += 1;
  useToasts.setState(({ toasts }) => ({ toasts: [...toasts.slice(-2), toast] }));
  if (tone === 'info') systemClock.after(shownMs, () => dismiss(toast.id));
}

const dismiss = (id: number): void =>
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }));

/** Where toasts appear; there is one of it in the application. */
export function ToastRegion() {
  const toasts = useToasts((state) => state.toasts);
  return (
    <section className={styles.toasts} aria-label="Notifications">
      {toasts.map(({ id, tone, text }) => (
        <div key={id} className={styles.toast} role={tone === 'error' ? 'alert' : 'status'} data-tone={tone}>
          {tone === 'error' && <CircleAlert size={16} aria-hidden="true" />}
          <span>{text}</span>
          <IconButton label="Dismiss" icon={X} size="small" onPress={() => dismiss(id)} />
        </div>
      ))}
    </section>
  );
}
