/** Missing parts of the stand-in throw on use: a silent no-op would look like success. */
import { EventEmitter } from 'node:events';

/** Property names that the language or libraries read on any object. */
const askedByTheLanguage = new Set(['then', 'toJSON', 'constructor', 'prototype', 'nodeType', '$$typeof']);

/** Returns a proxy of the object that throws when an unknown property is read. */
export function loud<Target extends object>(name: string, target: Target): Target {
  return new Proxy(target, {
    get(object, property) {
      if (property in object || typeof property === 'symbol' || askedByTheLanguage.has(property)) {
        const value = Reflect.get(object, property, object);
        // Private fields don't work through the proxy, so methods are bound to the object.
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

/** An emitter that throws on listeners for events that it never emits. */
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

/** Creates an Electron event with `preventDefault()` and `defaultPrevented`. */
export function preventable<Details extends object>(details: Details) {
  return {
    ...details,
    defaultPrevented: false,
    preventDefault() {
      this.defaultPrevented = true;
    },
  };
}
