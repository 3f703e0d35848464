/** `Notification`: what the system would show, and what a person does with it. */
import type { NotificationConstructorOptions } from 'electron';
import { theApp } from './app.ts';
import { LoudEmitter, loud } from './loud.ts';
import { settings } from './settings.ts';

const known = ['title', 'icon'];

/** Those that stand on the screen, the oldest first. */
export const notifications: Shown[] = [];

class Shown extends LoudEmitter {
  readonly title: string;

  constructor(options: NotificationConstructorOptions = {}) {
    super('Notification', ['show', 'click', 'close', 'failed']);
    if (!theApp.isReady()) throw new Error('Cannot create Notification before app is ready');
    const unknown = Object.keys(options).filter((option) => !known.includes(option));
    if (unknown.length > 0) throw new Error(`The stand-in does not know the notification options ${unknown}`);
    this.title = options.title ?? '';
    // biome-ignore lint/correctness/noConstructorReturn: what is missing has to fail loudly
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

  /** Also what the system does after a while. */
  close(): void {
    const at = notifications.indexOf(this);
    if (at < 0) return;
    notifications.splice(at, 1);
    this.emit('close', {});
  }

  /** It goes when it is clicked. */
  click(): void {
    notifications.splice(notifications.indexOf(this), 1);
    this.emit('click', {});
  }
}

export const Notification = Shown;
