import { EventEmitter } from 'node:events';
import { registerHooks } from 'node:module';
import { facadeHook } from './facade-hook.ts';
import { cloneOf, PortHub, type MessagePortMain } from './ports.ts';
import type { UtilityMessage } from './api/utility-process.ts';

/** Loaded before a utility process's own module: gives it `process.parentPort`, and exits with its parent. */
const ports = new PortHub('child', (kind, id, data, transferred = []) => tell({ kind, id, data, ports: transferred }));
const tell = (message: UtilityMessage) => void process.send?.(message, undefined, undefined, () => {});

class ParentPort extends EventEmitter {
  postMessage(message: unknown): void {
    tell({ kind: 'message', data: cloneOf(message), ports: [] });
  }
  // The port is open from the start; these methods exist because a MessagePort has them.
  start(): void {}
  pause(): void {}
}
const parentPort = new ParentPort();
const early: { data: unknown; ports: MessagePortMain[] }[] = [];
parentPort.on('newListener', (name) => {
  if (name !== 'message') return;
  setImmediate(() => {
    for (const event of early.splice(0)) parentPort.emit('message', event);
  });
});

process.on('message', (message: UtilityMessage) => {
  if (message.kind === 'message') {
    const event = { data: message.data, ports: message.ports.map((id) => ports.take(id)) };
    if (parentPort.listenerCount('message') > 0 && early.length === 0) parentPort.emit('message', event);
    else early.push(event);
  } else if (message.kind === 'port') ports.receive(message.id, message.data, message.ports);
  else ports.closed(message.id);
});
process.on('disconnect', () => process.exit(0));
Object.defineProperty(process, 'parentPort', { value: parentPort, enumerable: true });
Object.defineProperty(process, 'type', { value: 'utility' });
Object.defineProperty(process, 'crash', { value: () => process.kill(process.pid, 'SIGSEGV') });
registerHooks(facadeHook('electron-utility.cjs'));
// Programs that the child starts must not use this channel.
delete process.env['NODE_CHANNEL_FD'];
delete process.env['NODE_CHANNEL_SERIALIZATION_MODE'];
