import { z } from 'zod';
import { bareProcedures, bareStreams } from '../support/bare-procedures.ts';

export interface HostileCall {
  readonly channel: string;
  readonly event: { readonly sender: { readonly id: number }; readonly senderFrame: object | null };
  readonly message: unknown;
  /** Whether the channel belongs to the sending page; only then may a call be served. */
  readonly isOurs: boolean;
}

interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
}

const schemas = Object.entries(bareProcedures).map(
  ([method, { input }]) =>
    [method, z.toJSONSchema(input, { unrepresentable: 'any', io: 'input' }) as unknown as JsonSchema] as const,
);
const huge = 'ў'.repeat(5_000_000);
const loop: Record<string, unknown> = {};
loop['self'] = loop;
const deep = JSON.parse(`${'{"a":'.repeat(400)}1${'}'.repeat(400)}`) as unknown;
const polluted = JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{}}}') as unknown;

/** A compromised page: valid calls of every method, corrupted in one or more ways, sent from all kinds of frames. */
export function createHostilePage(random: () => number) {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const chance = (share: number) => random() < share;

  const junk = (): unknown =>
    pick<() => unknown>([
      () => null,
      () => undefined,
      () => Number.NaN,
      () => Infinity,
      () => -0,
      () => 2 ** 53,
      () => 10n,
      () => true,
      () => '',
      () => '../../etc/passwd',
      () => '__proto__',
      () => '\u0000\u202e\ud800',
      () => (chance(0.03) ? huge : 'x'.repeat(300_000)),
      () => [],
      () => Array.from({ length: 3000 }, () => 1),
      () => ({}),
      () => loop,
      () => deep,
      () => polluted,
      () => new Map([['jobId', 'x']]),
      () => new Date(Number.NaN),
      () => new Uint8Array(64),
      () => new Error('/home/person/secret'),
    ])();

  const valid = (schema: JsonSchema): unknown => {
    if (schema.enum !== undefined) return pick(schema.enum);
    switch (schema.type ?? 'any') {
      case 'object':
        return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, valid(inner)]));
      case 'array':
        return Array.from({ length: 1 + Math.floor(random() * 3) }, () => valid(schema.items ?? {}));
      case 'string':
        return schema.pattern === undefined ? pick(['a', 'oʻzbekcha', 'x'.repeat(60)]) : 'a'.repeat(24);
      case 'boolean':
        return chance(0.5);
      case 'number':
      case 'integer':
        return Math.floor(random() * 1000);
      default:
        return new Uint8Array(16);
    }
  };

  const spoil = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || chance(0.15)) return junk();
    if (Array.isArray(value)) return [...(value as unknown[]), junk()];
    const entries = Object.entries(value);
    if (entries.length === 0 || chance(0.25))
      return { ...value, [pick(['extra', 'path', 'constructor', '7'])]: junk() };
    const [name, inner] = pick(entries);
    if (chance(0.2)) return Object.fromEntries(entries.filter(([other]) => other !== name));
    return { ...value, [name]: spoil(inner) };
  };

  const request = (): unknown => {
    const [method, schema] = pick(schemas);
    const input = chance(0.2) ? valid(schema) : spoil(valid(schema));
    const message = {
      method: chance(0.1) ? pick(['toString', '__proto__', 'jobs.list ', '', 'x'.repeat(70)]) : method,
      input,
    };
    return chance(0.1) ? spoil(message) : message;
  };
  const keyMessage = (): unknown => {
    const message = pick<object>([{ type: 'words' }, { type: 'cancel' }, { type: 'submit', value: 'sk_x' }]);
    return chance(0.2) ? message : spoil(message);
  };

  const overlayMessage = (): unknown => {
    const message = { type: pick(['ready', 'stop', 'hide']) };
    return chance(0.2) ? message : spoil(message);
  };

  const streamRequest = (): unknown => {
    const request = {
      stream: pick(Object.keys(bareStreams)),
      options: {},
      nonce: '0123456789abcdef',
    };
    return chance(0.3) ? request : spoil(request);
  };

  const urls = [
    'app://studio/',
    'app://studio/#/transcribe',
    'app://studio/index.html',
    'app://studio/key.html',
    'app://studio/overlay.html',
    'app://studio.evil/',
    'app://evil/',
    'app://studio:1/',
    'app://me@studio/',
    'https://studio/',
    'http://studio.app.localhost/',
    'file:///app/index.html',
    'about:blank',
    'about:srcdoc',
    'data:text/html,x',
    '',
    'not an address',
  ];
  const top = { parent: null };

  const frame = (isMine: boolean, home: string) => {
    if (isMine) return { url: home, parent: null };
    return pick<object | null>([
      null,
      { url: pick(urls), parent: top },
      { url: home, parent: top },
      { url: pick(urls.slice(3)), parent: null },
    ]);
  };

  return {
    next(): HostileCall {
      const channel = pick([
        'studio:request',
        'studio:request',
        'studio:request',
        'studio:stream',
        'studio:file-token',
        'studio:key',
        'studio:overlay',
      ]);
      const isKey = channel === 'studio:key';
      const isOverlay = channel === 'studio:overlay';
      const ownId = isKey ? 8 : isOverlay ? 9 : 7;
      const isMine = chance(0.6);
      const id =
        isMine || chance(0.3) ? ownId : pick([0, 1, ...[7, 8, 9].filter((other) => other !== ownId), Number.NaN]);
      const senderFrame = frame(
        isMine,
        isKey ? 'app://studio/key.html' : isOverlay ? 'app://studio/overlay.html' : 'app://studio/',
      );
      const message =
        channel === 'studio:request'
          ? request()
          : channel === 'studio:stream'
            ? streamRequest()
            : isKey
              ? keyMessage()
              : isOverlay
                ? overlayMessage()
                : chance(0.3)
                  ? '/home/person/a.mp3'
                  : junk();
      const facts = senderFrame as { readonly url?: string; readonly parent?: object | null } | null;
      const homes = isKey
        ? [/^app:\/\/studio\/key\.html$/]
        : isOverlay
          ? [/^app:\/\/studio\/overlay\.html$/]
          : [/^app:\/\/studio\/(index\.html)?(#.*)?$/];
      const isOurs = id === ownId && facts?.parent === null && homes.some((home) => home.test(facts.url ?? ''));
      return {
        channel,
        event: { sender: { id }, senderFrame: senderFrame && { ...senderFrame, postMessage: () => undefined } },
        message,
        isOurs,
      };
    },
  };
}
