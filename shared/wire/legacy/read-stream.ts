import { asFilledText, pick } from '../json-access.ts';
import { readStreamError, readStreamMessage } from '../read-dictation.ts';
import { asCount, fieldsOf } from '../values.ts';

/** The metadata of a turn's audio, which precede the audio itself (contract 4.15). */
export interface LegacyAudio {
  /** Null: not given; the audio belongs to the turn in progress. */
  readonly requestId: string | null;
  readonly sampleRate: number | null;
  readonly durationMs: number | null;
  readonly characters: number | null;
}

/** One message of the legacy live stream of speech. */
export type LegacyStreamMessage =
  | { readonly kind: 'started'; readonly sessionId: string | null }
  | { readonly kind: 'sound'; readonly sound: LegacyAudio }
  | {
      readonly kind: 'error';
      readonly code: string;
      readonly message: string | null;
      /** The turn it is about, when it says so. */
      readonly requestId: string | null;
    }
  | { readonly kind: 'unknown' };

/** Parses a text frame. Never throws, whatever the frame contains. */
export function readLegacyStreamMessage(
  text: string,
  aliases: Readonly<Record<string, string>> = {},
): LegacyStreamMessage {
  const message = readStreamMessage(text, aliases);
  if (message === null) return { kind: 'unknown' };
  const { name, body } = message;
  const { id } = fieldsOf(body);
  if (name === 'error') return { kind: 'error', ...readStreamError(body), requestId: id('request_id') };
  if (name === 'session_started') return { kind: 'started', sessionId: id('session_id') };
  if (name !== 'audio') return { kind: 'unknown' };
  return {
    kind: 'sound',
    sound: {
      requestId: pick(body, ['request_id'], asFilledText) ?? null,
      sampleRate: pick(body, ['sample_rate'], asCount) ?? null,
      durationMs: secondsToMs(pick(body, ['duration_sec'], asCount)),
      characters: pick(body, ['characters'], asCount) ?? null,
    },
  };
}

/** Whole milliseconds; null when not given. */
export const secondsToMs = (seconds: number | undefined): number | null =>
  seconds === undefined ? null : Math.round(seconds * 1000);
