/** What the stand-in does not have fails where it is used: a silent no-op would pass for an answer. */
import { EventEmitter } from 'node:events';

/** Names that the language, and not the app under test, looks for on any object. */
const askedByTheLanguage = new Set(['then', 'toJSON', 'constructor', 'prototype', 'nodeType', '$$typeof']);

/** The object itself, but reading a property that it doesn't have throws. */
export function loud<Target extends object>(name: string, target: Target): Target {
  return new Proxy(target, {
    get(object, property) {
      if (property in object || typeof property === 'symbol' || askedByTheLanguage.has(property)) {
        const value = Reflect.get(object, property, object);
        // Private fields are found on the object only, not on what stands before it.
        return typeof value === 'function' && property !== 'constructor' ? value.bind(object) : value;
      }
      throw new Error(`The stand-in for electron has no ${name}.${property}`);
    },
    set(object, property, value) {
      if (!(property in object)) {
        throw new Error(`The stand-in for electron has no ${name}.${String(property)} to set`);
      }
      return Reflect.set(object, property, value, object);
    },
  });
}

/** An emitter that can be listened to for what it really emits only. */
export class LoudEmitter extends EventEmitter {
  readonly #name: string;
  readonly #events: readonly string[];

  constructor(name: string, events: readonly string[]) {
    super();
    this.#name = name;
    this.#events = events;
  }

  override on(event: string, listener: (...values: never[]) => void): this {
    this.#check(event);
    return super.on(event, listener as (...values: unknown[]) => void);
  }

  override once(event: string, listener: (...values: never[]) => void): this {
    this.#check(event);
    return super.once(event, listener as (...values: unknown[]) => void);
  }

  #check(event: string): void {
    if (!this.#events.includes(event)) {
      throw new Error(`The stand-in for electron never emits '${event}' on ${this.#name}`);
    }
  }
}

/** Electron's events that can be prevented: what happens to them decides what happens next. */
export function preventable<Details extends object>(details: Details) {
  return {
    ...details,
    defaultPrevented: false,
    preventDefault() {
      this.defaultPrevented = true;
    },
  };
}
