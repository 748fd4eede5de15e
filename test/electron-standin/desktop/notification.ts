import { EventEmitter } from 'node:events';
import { randomUUID } from 'node:crypto';
import type { NotificationAction, NotificationConstructorOptions } from 'electron';
import { createEvent } from '../app/electron-event.ts';

/** Electron's `Notification`: shown immediately and never clicked, unless a test emits `click`. */
export class Notification extends EventEmitter {
  static isSupported(): boolean {
    return true;
  }

  static handleActivation(_callback: unknown): void {}

  readonly id: string;
  title: string;
  subtitle: string;
  body: string;
  silent: boolean;
  hasReply: boolean;
  replyPlaceholder: string;
  sound: string;
  urgency: 'normal' | 'critical' | 'low';
  timeoutType: 'default' | 'never';
  closeButtonText: string;
  actions: NotificationAction[];

  constructor(options: NotificationConstructorOptions = {}) {
    super();
    this.id = options.id ?? randomUUID();
    this.title = options.title ?? '';
    this.subtitle = options.subtitle ?? '';
    this.body = options.body ?? '';
    this.silent = options.silent ?? false;
    this.hasReply = options.hasReply ?? false;
    this.replyPlaceholder = options.replyPlaceholder ?? '';
    this.sound = options.sound ?? '';
    this.urgency = options.urgency ?? 'normal';
    this.timeoutType = options.timeoutType ?? 'default';
    this.closeButtonText = options.closeButtonText ?? '';
    this.actions = options.actions ?? [];
  }

  show(): void {
    this.emit('show', createEvent({}));
  }

  close(): void {
    this.emit('close', createEvent({}));
  }
}
