import {
  legacyFormMoods,
  legacyVoiceOf,
  type LegacyVoiceChoice,
  isLegacyVoice,
} from '../../../shared/domain/speech/voices.ts';
import { clockSlackMs } from '../../service/transport.ts';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { speechLanguages } from '../../../shared/domain/languages.ts';
import { countCharacters } from '../../../shared/domain/speech/split-text.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { Downloader } from '../../service/download.ts';
import { legacyLimits, legacyNewest, refusedLegacyKey } from '../../service/legacy.ts';
import type { Speech, SpeechInput } from '../../service/speak.ts';
import {
  closeIfRefused,
  openPaidRequest,
  sendUntilTaken,
  type PaidContext,
  type Pending,
} from '../account/paid-requests.ts';

type Made = Extract<Speech, { kind: 'made' }>;

export interface SpeechWanted {
  readonly text: string;
  readonly language: string;
  readonly voiceId: string;
  readonly speed: number;
  readonly target: string;
  /** Creates a new request, which may be charged, where an earlier one of the same content has an unknown outcome. */
  readonly sendsAgain: boolean;
  readonly waitMs: number;
  readonly signal: AbortSignal;
  /** Called with the idempotency key before anything is sent; on a failure nothing is sent. */
  readonly noteKey?: (idempotencyKey: string) => Result<null>;
  readonly listen?: SpeechInput['listen'];
}

export interface SpokenText {
  readonly sizeBytes: number;
  readonly durationMs: number | null;
  readonly requestId: string | null;
  /** To be called when the user has the file: until then the same request is a repeat and is not charged again. */
  readonly settle: () => void;
}

export interface StreamedText extends Pick<SpokenText, 'durationMs' | 'settle'> {
  readonly firstAudioMs: number;
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

const mayBeCharged = (code: 'spoken_live' | 'old_request'): Result<never> =>
  err(makeFailure('job-not-found', { code, outcome: 'not_sent' }));

export function createSpeechService(
  context: PaidContext,
  speakLegacy: (wanted: SpeechWanted) => Promise<Result<SpokenText>>,
) {
  const { client, ledger } = context;
  return {
    async firstVoice(language: string, signal?: AbortSignal): Promise<Result<string>> {
      const voices = await client.speak.voices({ language }, signal);
      if (!voices.ok) return voices;
      const { items } = voices.value;
      const fitting = items.find(({ languages }) => languages.includes(language)) ?? items[0];
      return fitting === undefined
        ? err(makeFailure('deleted-at-service', { code: 'no_voice', outcome: 'not_sent', layer: 'local' }))
        : ok(fitting.voiceId);
    },

    /** Paid once for the same content, however often it is requested. */
    async speak(all: SpeechWanted): Promise<Result<SpokenText>> {
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
      const send = async (): Promise<Result<Made | Pending>> => {
        const spoken = await client.speak.speak(input);
        if (!spoken.ok) return spoken;
        return ok(spoken.value.kind === 'made' ? spoken.value : { pending: notMadeYet(spoken.value) });
      };
      const made = await sendUntilTaken<Made>(context, opened.value, send, { signal, waitMs });
      return made.ok ? ok({ ...made.value, settle: () => ledger.closeRequest(fingerprint) }) : made;
    },

    /** Without idempotency keys: what may be charged is sent again only with `sendsAgain` (job-not-found). */
    async stream(wanted: SpeechWanted): Promise<Result<StreamedText>> {
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

export type SpeechService = ReturnType<typeof createSpeechService>;

const notMadeYet = ({ requestId }: Speech): Failure =>
  makeFailure('still-processing', { code: 'still_made', outcome: 'accepted', requestId });

interface LegacySpeechContext extends PaidContext {
  readonly downloader: Downloader;
  readonly legacyAccess: { readonly hasKey: boolean; readonly hasCall: boolean };
}

interface LegacyOrder extends SpeechWanted {
  readonly language: (typeof speechLanguages)[number];
  readonly voice: LegacyVoiceChoice;
}

const headerBytes = 44;
const bytesPerMs = 32;

/** Without keys nothing is sent again after a lost answer: the list is searched, or job-not-found. */
export async function speakLegacy(context: LegacySpeechContext, wanted: SpeechWanted): Promise<Result<SpokenText>> {
  const order = judge(context, wanted);
  if (!order.ok) return order;
  const { text, language, voiceId, speed, sendsAgain, noteKey } = order.value;
  const content = ['speak-legacy', text, language, voiceId, String(speed)];
  const opened = openPaidRequest(context, content, sendsAgain);
  if (!opened.ok) return opened;
  const { open, isNew } = opened.value;
  const noted = noteKey?.(open.actionId) ?? ok(null);
  if (!noted.ok) {
    closeIfRefused(context, opened.value, { ...noted.error, outcome: 'not_sent' });
    return noted;
  }
  const spoken = isNew ? await send(context, order.value) : await fetchEarlier(context, order.value, open.createdAtMs);
  if (!spoken.ok) {
    closeIfRefused(context, opened.value, spoken.error);
    return spoken;
  }
  const sizeBytes = spoken.value;
  const durationMs = Math.max(0, Math.round((sizeBytes - headerBytes) / bytesPerMs));
  return ok({ sizeBytes, durationMs, requestId: null, settle: () => context.ledger.closeRequest(open.fingerprint) });
}

function judge({ legacyAccess }: LegacySpeechContext, wanted: SpeechWanted): Result<LegacyOrder> {
  const refuse = (code: string) => err(localFailure('not-a-recording', { code, outcome: 'not_sent' }));
  const { hasKey, hasCall } = legacyAccess;
  if (!hasKey) return refuse('legacy_key_missing');
  const voice = legacyVoiceOf(wanted.voiceId);
  const language = speechLanguages.find((known) => known === wanted.language);
  if (voice === null || language === undefined || !voice.languages.includes(language))
    return err(makeFailure('deleted-at-service', { code: 'no_voice', outcome: 'not_sent', layer: 'local' }));
  if (countCharacters(wanted.text) > legacyLimits.speakCharacters.withKey) return refuse('legacy_text_too_long');
  // The form takes no speed for other languages (contract 4.14).
  if (!hasCall && language !== 'uz' && wanted.speed !== 1) return refuse('legacy_speed');
  return ok({ ...wanted, language, voice });
}

async function send(context: LegacySpeechContext, order: LegacyOrder): Promise<Result<number>> {
  const { client, legacyAccess } = context;
  const { text, language, speed, voice, signal } = order;
  if (legacyAccess.hasCall) return sendByCall(context, order);
  const own = language === 'uz' ? { mood: legacyFormMoods[voice.mood], speed } : {};
  const spoken = await client.legacy.speak({ transcript: text, language, ...own }, signal);
  return spoken.ok ? fetchAudio(context, order, spoken.value.audioPath) : err(refusedLegacyKey(spoken.error));
}

async function sendByCall({ client }: LegacySpeechContext, order: LegacyOrder): Promise<Result<number>> {
  const { text, language, speed, voice, target, signal } = order;
  const opened = await client.live.legacyCall();
  if (!opened.ok) return err(refusedLegacyKey(opened.error));
  const call = opened.value;
  if (signal.aborted) {
    call.cut();
    return err(makeFailure('stopped', { code: 'cancelled', outcome: 'not_sent', layer: 'local' }));
  }
  const stop = () => call.cut();
  signal.addEventListener('abort', stop, { once: true });
  const spoken = await call.speak({ text, speaker: voice.mood, language, speed });
  signal.removeEventListener('abort', stop);
  if (!spoken.ok) {
    call.cut();
    return err(refusedLegacyKey(spoken.error));
  }
  void call.end();
  try {
    await writeFile(target, spoken.value.wav, { mode: 0o600 });
  } catch {
    return err(makeFailure('disk-space-short', { code: 'cannot_write', outcome: 'accepted', layer: 'local' }));
  }
  return ok(spoken.value.wav.length);
}

/** Only when one entry fits, and nothing else that was sent from here can be that entry. */
async function fetchEarlier(
  context: LegacySpeechContext,
  order: LegacyOrder,
  sinceMs: number,
): Promise<Result<number>> {
  const page = await context.client.legacy.speeches(legacyNewest, order.signal);
  if (!page.ok) return err({ ...refusedLegacyKey(page.error), outcome: 'unknown' });
  const earliestMs = sinceMs - clockSlackMs;
  const [found, ...others] = page.value.items.filter(
    ({ transcript, mood, createdAt, audioPath }) =>
      transcript === order.text &&
      audioPath !== null &&
      (order.language !== 'uz' || mood === null || mood.toLowerCase() === order.voice.mood) &&
      Date.parse(createdAt ?? '') >= earliestMs,
  );
  return found === undefined || others.length > 0 || !isOnlyAttempt(context, order, earliestMs)
    ? err(localFailure('job-not-found'))
    : fetchAudio(context, order, found.audioPath);
}

/** The list names neither speed nor request, and the ledger no text: its length stands for it. */
function isOnlyAttempt({ ledger }: LegacySpeechContext, { text }: LegacyOrder, fromMs: number): boolean {
  const sent = ledger.list({ fromMs, toMs: Number.MAX_SAFE_INTEGER, product: 'speak' });
  if (!sent.ok) return false;
  const characters = countCharacters(text);
  const attempts = sent.value.filter(
    ({ route, state, asked }) =>
      route.startsWith('legacy.speak.') &&
      state !== 'refused' &&
      state !== 'not-sent' &&
      asked.characters === characters,
  );
  return attempts.length === 1;
}

async function fetchAudio(
  { client, downloader }: LegacySpeechContext,
  { target, signal }: LegacyOrder,
  audioPath: string | null,
): Promise<Result<number>> {
  if (audioPath === null) return err(localFailure('answer-unreadable', { outcome: 'accepted' }));
  const received = await downloader.download({
    target,
    signal,
    freshUrl: async () => client.legacy.audioAddress(audioPath),
  });
  return received.ok ? ok(received.value.sizeBytes) : err({ ...received.error, outcome: 'accepted' });
}
