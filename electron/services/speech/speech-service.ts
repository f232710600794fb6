import { randomUUID } from 'node:crypto';
import { isLegacyVoice } from '../../../shared/domain/speech/legacy-voices.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { Speech, SpeechInput } from '../../api/resources/speak.ts';
import {
  closeIfRefused,
  openPaidRequest,
  type PaidContext,
  sendUntilTaken,
  type Pending,
} from '../account/paid-requests.ts';

type Made = Extract<Speech, { kind: 'made' }>;

export interface SpeechWanted {
  readonly text: string;
  readonly language: string;
  readonly voiceId: string;
  /** 0.5 to 2. */
  readonly speed: number;
  /** Path of the WAV; an existing file is replaced only by a complete one. */
  readonly target: string;
  /** Creates a new request, which may be charged, where an earlier one of the same content has an unknown outcome. */
  readonly sendsAgain: boolean;
  /** How long to keep asking for speech that was accepted and is not made yet. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
  /** Called with the idempotency key before anything is sent; on a failure nothing is sent. */
  readonly noteKey?: (idempotencyKey: string) => Result<null, Failure>;
  /** Receives the file while it arrives, from its first byte with each attempt. */
  readonly listen?: SpeechInput['listen'];
}

export interface SpokenText {
  readonly sizeBytes: number;
  readonly durationMs: number | null;
  readonly requestId: string | null;
  /** To be called when the user has the file: until then the same request is a repeat and is not charged again. */
  readonly settle: () => void;
}

/** Generates speech from text: paid once for the same content, however often it is requested. */
export interface SpeechService {
  /** The first voice of the language in the service's order; E-040 when there is none. */
  firstVoice(language: string, signal?: AbortSignal): Promise<Result<string, Failure>>;
  speak(wanted: SpeechWanted): Promise<Result<SpokenText, Failure>>;
  /**
   * The same text over the live stream, which has no idempotency keys: after an end that may be charged the text is
   * sent again only with `sendsAgain` (E-041), live or not. E-150: the stream is not offered and nothing was sent.
   */
  stream(wanted: SpeechWanted): Promise<Result<StreamedText, Failure>>;
}

export interface StreamedText extends Pick<SpokenText, 'durationMs' | 'settle'> {
  /** From the request to the first audio, milliseconds. */
  readonly firstAudioMs: number;
  /** Why the stream ended before the audio was complete. */
  readonly cutBy: Failure | null;
}

/** Begins the ids of requests over the stream: under such an id nothing can be repeated. */
const streamed = 'stream-';

const contentOf = ({ text, language, voiceId, speed }: SpeechWanted): readonly string[] => [
  'speak',
  text,
  language,
  voiceId,
  String(speed),
];

const mayBeCharged = (code: 'spoken_live' | 'old_request'): Result<never, Failure> =>
  err(makeFailure('E-041', { code, outcome: 'not_sent' }));

/** `speakLegacy` generates speech with the voices of the legacy API. */
export function createSpeechService(context: PaidContext, speakLegacy: SpeechService['speak']): SpeechService {
  const { client, ledger } = context;
  return {
    async firstVoice(language, signal) {
      const voices = await client.speak.voices({ language }, signal);
      if (!voices.ok) return voices;
      const { items } = voices.value;
      const fitting = items.find(({ languages }) => languages.includes(language)) ?? items[0];
      return fitting === undefined
        ? err(makeFailure('E-040', { code: 'no_voice', outcome: 'not_sent', layer: 'local' }))
        : ok(fitting.voiceId);
    },

    async speak(all) {
      if (isLegacyVoice(all.voiceId)) return speakLegacy(all);
      const { sendsAgain, waitMs, signal, noteKey, listen, ...wanted } = all;
      const { text, language, voiceId, speed, target } = wanted;
      const opened = openPaidRequest(context, contentOf(all), sendsAgain);
      if (!opened.ok) return opened;
      if (opened.value.open.actionId.startsWith(streamed)) return mayBeCharged('spoken_live');
      const { actionId, fingerprint } = opened.value.open;
      const noted = noteKey?.(actionId) ?? ok(null);
      if (!noted.ok) {
        closeIfRefused(context, opened.value, { ...noted.error, outcome: 'not_sent' });
        return noted;
      }
      const input: SpeechInput = {
        text,
        language,
        voiceId,
        speed,
        target,
        idempotencyKey: actionId,
        signal,
        ...(listen === undefined ? {} : { listen }),
      };
      const send = async (): Promise<Result<Made | Pending, Failure>> => {
        const spoken = await client.speak.speak(input);
        if (!spoken.ok) return spoken;
        return ok(spoken.value.kind === 'made' ? spoken.value : { pending: notMadeYet(spoken.value) });
      };
      const made = await sendUntilTaken<Made>(context, opened.value, send, { signal, waitMs });
      return made.ok ? ok({ ...made.value, settle: () => ledger.closeRequest(fingerprint) }) : made;
    },

    async stream(wanted) {
      const opened = openPaidRequest(context, contentOf(wanted), wanted.sendsAgain, streamed + randomUUID());
      if (!opened.ok) return opened;
      const { open, isNew } = opened.value;
      if (!isNew) return mayBeCharged(open.actionId.startsWith(streamed) ? 'spoken_live' : 'old_request');
      const spoken = await client.live.streamSpeech(wanted);
      if (!spoken.ok) {
        closeIfRefused(context, opened.value, spoken.error);
        return spoken;
      }
      const { durationMs, firstAudioMs } = spoken.value;
      const cutBy = spoken.value.kind === 'cut' ? spoken.value.failure : null;
      const settle = (): void => {
        if (cutBy === null) ledger.closeRequest(open.fingerprint);
      };
      return ok({ durationMs, firstAudioMs, cutBy, settle });
    },
  };
}

const notMadeYet = ({ requestId }: Speech): Failure =>
  makeFailure('E-023', {
    code: 'still_made',
    outcome: 'accepted',
    ...(requestId === null ? {} : { requestId }),
  });
