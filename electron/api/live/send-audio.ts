import type { DictationSocket } from './dictation-socket.ts';
import type { Utterance } from './utterance.ts';

/** How much may wait in the socket; the rest waits with us. */
const highWaterBytes = 128 * 1024;
const chunkBytes = 16 * 1024;

/** How much of an utterance was sent over the connection. */
export interface Sending {
  readonly utterance: Utterance;
  sentBytes: number;
  isStarted: boolean;
  /** Monotonic milliseconds; null: it was not committed on this connection. */
  committedAtMs: number | null;
}

/**
 * Sends as much of an utterance as the connection accepts now; `goOn` is called when it may accept more. True:
 * everything available was sent. A connection reports its end by an event of its own, so one that accepts nothing any
 * more is no error here.
 */
export function sendAudio(socket: DictationSocket, sending: Sending, hasWordTimes: boolean, goOn: () => void): boolean {
  const { utterance } = sending;
  if (!sending.isStarted) sending.isStarted = socket.start(utterance.language, hasWordTimes);
  while (sending.sentBytes < utterance.length && socket.unsentBytes() < highWaterBytes) {
    const part = utterance.part(sending.sentBytes, sending.sentBytes + chunkBytes);
    sending.sentBytes += part.length;
    if (!socket.sound(part, goOn)) return false;
  }
  return sending.sentBytes >= utterance.length;
}
