/** Preloaded into utility processes: provides `process.parentPort`. */
import { EventEmitter } from 'node:events';

class ParentPort extends EventEmitter {
  readonly #early: unknown[] = [];

  constructor() {
    super();
    process.on('message', (data) => {
      if (this.listenerCount('message') > 0) this.emit('message', { data, ports: [] });
      else this.#early.push(data);
    });
    // Buffers messages until the first listener.
    this.on('newListener', (event) => {
      if (event !== 'message') return;
      queueMicrotask(() => {
        for (const data of this.#early.splice(0)) this.emit('message', { data, ports: [] });
      });
    });
  }

  postMessage(message: unknown): void {
    if (process.connected) process.send?.(structuredClone(message));
  }
}

Object.defineProperty(process, 'parentPort', { value: new ParentPort() });
// Exits with the app.
process.once('disconnect', () => process.exit(1));
