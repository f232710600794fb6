import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from '../faults/fault-plan.ts';

type StreamFault = Extract<Fault, { fault: 'stream' }>;

const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;
const done = 'data: [DONE]\n\n';

/** Words with the space after them, so that joining them restores the text. */
const piecesOf = (text: string): readonly string[] => text.match(/\S+\s*|\s+/g) ?? [];

export interface Completion {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  readonly text: string;
  readonly finish: 'stop' | 'length';
  readonly usage: Readonly<Record<string, number>>;
}

function eventsOf({ id, created, model, text, finish, usage }: Completion): readonly string[] {
  const chunk = (delta: unknown, finishReason: string | null, more = {}): string =>
    event({
      id,
      object: 'chat.completion.chunk',
      created,
      model,
      choices: [{ index: 0, delta, finish_reason: finishReason }],
      ...more,
    });
  return [
    chunk({ role: 'assistant', content: '' }, null),
    ...piecesOf(text).map((piece) => chunk({ content: piece }, null)),
    chunk({}, finish, { usage }),
    done,
  ];
}

function broken(events: readonly string[], fault: StreamFault): readonly string[] {
  const before = events.slice(0, fault.afterEvents);
  switch (fault.how) {
    case 'cut':
      return before;
    case 'no-done':
      return events.slice(0, -1);
    case 'error-event':
      return [...before, event({ error: { message: 'Practice fault.', type: 'request_error', code: fault.code } })];
    case 'junk':
      return [...before, ': a comment\n\n', 'nonsense\n\n', 'data: {half\n\n', ...events.slice(fault.afterEvents)];
    case 'crlf':
      return events.map((one) => one.replaceAll('\n', '\r\n'));
    case 'single-bytes':
      return events;
  }
}

/** The events of a completion in order, or as a fault alters them. */
export function streamCompletion(completion: Completion, pieceMs: number, faults: readonly Fault[]): Readable {
  const fault = faults.find((one) => one.fault === 'stream');
  const events = fault === undefined ? eventsOf(completion) : broken(eventsOf(completion), fault);
  async function* write(): AsyncGenerator<Buffer> {
    for (const one of events) {
      if (pieceMs > 0) await wait(pieceMs);
      const bytes = Buffer.from(one);
      if (fault?.how !== 'single-bytes') yield bytes;
      else for (const byte of bytes) yield Buffer.from([byte]);
    }
    if (fault?.how === 'cut') throw new Error('cut by a fault');
  }
  return Readable.from(write(), { objectMode: false });
}
