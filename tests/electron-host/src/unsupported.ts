import type { EventEmitter } from 'node:events';

const said = new Set<string>();

/** One line on stderr, once per name: what the app requested and does not get. Never silent, never a flood. */
export function warnOnce(name: string, why = 'is not supported here'): void {
  const line = `electron-host: ${name} ${why}`;
  if (said.has(line)) return;
  said.add(line);
  process.stderr.write(`${line}\n`);
}

/** Looked up by Node, test runners and promise machinery on any object: not a question about Electron's API. */
const asked = new Set([
  'then',
  'catch',
  'finally',
  'toJSON',
  'inspect',
  'nodeType',
  'tagName',
  'asymmetricMatch',
  'domain',
]);

export interface Gaps {
  /** Methods that change only how things look: calling one warns and does nothing. */
  readonly cosmetic?: readonly string[];
  /** Members that Electron itself lacks on this platform: reading one is legitimate, so no warning. */
  readonly absent?: readonly string[];
}

function guarded<T extends object>(behind: T, name: string, gaps: Gaps): T {
  const cosmetic = new Set(gaps.cosmetic);
  const absent = new Set(gaps.absent);
  return new Proxy(behind, {
    get(target, key, receiver) {
      if (typeof key !== 'string' || key in target) return Reflect.get(target, key, receiver) as unknown;
      if (key.startsWith('_') || asked.has(key) || absent.has(key)) return undefined;
      if (cosmetic.has(key)) return () => warnOnce(`${name}.${key}`);
      warnOnce(`${name}.${key}`);
      return undefined;
    },
  });
}

/** Makes members that `object` (or a prototype) lacks report their name when they are read. */
export function sayGaps<T extends object>(object: T, name: string, gaps: Gaps = {}): T {
  const behind = Object.getPrototypeOf(object) as object | null;
  if (behind !== null) Object.setPrototypeOf(object, guarded(behind, name, gaps));
  return object;
}

/** The same for a class: its statics and what its instances inherit. */
export function sayClassGaps<T extends { readonly prototype: object }>(Class: T, name: string, gaps: Gaps = {}): T {
  sayGaps(Class.prototype, name, gaps);
  return sayGaps(Class, name);
}

/** Events that Electron has and the host never sends: waiting for one is reported by name. */
export function sayDeaf(emitter: EventEmitter, name: string, events: readonly string[]): void {
  emitter.on('newListener', (event) => {
    if (typeof event === 'string' && events.includes(event)) warnOnce(`${name} event '${event}'`, 'never comes here');
  });
}

/** Stands for a whole module that the host does not have: any use throws with its name. */
export function missingModule(name: string): object {
  const refuse = (member: string): never => {
    throw new Error(`electron-host: ${member} is not supported here`);
  };
  return new Proxy(function missing() {}, {
    get: (_target, key) => (typeof key !== 'string' || asked.has(key) ? undefined : refuse(`${name}.${key}`)),
    apply: () => refuse(name),
    construct: () => refuse(`new ${name}`),
  });
}
