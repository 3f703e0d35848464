/** `Notification`: notifications as the system shows them, with user actions on them. */
import type { NotificationConstructorOptions } from 'electron';
import { theApp } from './app.ts';
import { LoudEmitter, loud } from './loud.ts';
import { settings } from './settings.ts';

const known = ['title', 'icon'];

/** Visible notifications, oldest first. */
export const notifications: Shown[] = [];

class Shown extends LoudEmitter {
  readonly title: string;

  constructor(options: NotificationConstructorOptions = {}) {
    super('Notification', ['show', 'click', 'close', 'failed']);
    if (!theApp.isReady()) throw new Error('Cannot create Notification before app is ready');
    const unknown = Object.keys(options).filter((option) => !known.includes(option));
    if (unknown.length > 0) throw new Error(`The stand-in does not know the notification options ${unknown}`);
    this.title = options.title ?? '';
    // biome-ignore lint/correctness/noConstructorReturn: missing members have to fail loudly
    return loud<Shown>('Notification', this);
  }

  static isSupported = () => settings.notifications ?? true;

  show(): void {
    if (settings.notificationFailure !== undefined) {
      this.emit('failed', {}, settings.notificationFailure);
      return;
    }
    notifications.push(this);
    this.emit('show', {});
  }

  /** The system also calls this after a timeout. */
  close(): void {
    const at = notifications.indexOf(this);
    if (at < 0) return;
    notifications.splice(at, 1);
    this.emit('close', {});
  }

  /** A click closes the notification. */
  click(): void {
    notifications.splice(notifications.indexOf(this), 1);
    this.emit('click', {});
  }
}

export const Notification = Shown;
