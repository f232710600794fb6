import { writeFile } from 'node:fs/promises';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { speechLanguages } from '../../../shared/domain/languages.ts';
import { legacyFormMoods, legacyVoiceOf, type LegacyVoiceChoice } from '../../../shared/domain/speech/legacy-voices.ts';
import { countCharacters } from '../../../shared/domain/speech/split-text.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { clockSlackMs } from '../../api/http/clock.ts';
import type { Downloader } from '../../api/http/download-signed.ts';
import { legacyLimits, legacyNewest, refusedLegacyKey } from '../../api/legacy/resources.ts';
import { closeIfRefused, openPaidRequest, type PaidContext } from '../account/paid-requests.ts';
import type { SpeechWanted, SpokenText } from './speech-service.ts';

interface LegacySpeechContext extends PaidContext {
  readonly downloader: Downloader;
  /** What the connection of the moment has of the legacy API. */
  readonly legacyAccess: { readonly hasKey: boolean; readonly hasCall: boolean };
}

/** What is wanted, after everything that the legacy API would refuse was refused here. */
interface LegacyOrder extends SpeechWanted {
  readonly language: (typeof speechLanguages)[number];
  readonly voice: LegacyVoiceChoice;
}

/** The legacy API writes a WAV with one channel of 16-bit samples. */
const headerBytes = 44;
const bytesPerMs = 32;

/**
 * Speech by the legacy API (contract 4.14, 4.15): by its live call where the connection has one, else by its form. It
 * knows no idempotency keys, so nothing is sent again after a lost answer: the list of earlier speech is searched, and
 * when it is not there the user is asked (E-041). E-211 `not_sent` for what the legacy API would refuse.
 */
export async function speakLegacy(
  context: LegacySpeechContext,
  wanted: SpeechWanted,
): Promise<Result<SpokenText, Failure>> {
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

function judge({ legacyAccess }: LegacySpeechContext, wanted: SpeechWanted): Result<LegacyOrder, Failure> {
  const refuse = (code: string) => err(localFailure('E-211', { code, outcome: 'not_sent' }));
  const { hasKey, hasCall } = legacyAccess;
  if (!hasKey) return refuse('legacy_key_missing');
  const voice = legacyVoiceOf(wanted.voiceId);
  const language = speechLanguages.find((known) => known === wanted.language);
  if (voice === null || language === undefined || !voice.languages.includes(language))
    return err(makeFailure('E-040', { code: 'no_voice', outcome: 'not_sent', layer: 'local' }));
  if (countCharacters(wanted.text) > legacyLimits.speakCharacters.withKey) return refuse('legacy_text_too_long');
  // The form takes no speed for other languages (contract 4.14).
  if (!hasCall && language !== 'uz' && wanted.speed !== 1) return refuse('legacy_speed');
  return ok({ ...wanted, language, voice });
}

/** Sends it once, and returns the size of the finished file. */
async function send(context: LegacySpeechContext, order: LegacyOrder): Promise<Result<number, Failure>> {
  const { client, legacyAccess } = context;
  const { text, language, speed, voice, signal } = order;
  if (legacyAccess.hasCall) return sendByCall(context, order);
  const own = language === 'uz' ? { mood: legacyFormMoods[voice.mood], speed } : {};
  const spoken = await client.legacy.speak({ transcript: text, language, ...own }, signal);
  return spoken.ok ? fetchAudio(context, order, spoken.value.audioPath) : err(refusedLegacyKey(spoken.error));
}

async function sendByCall({ client }: LegacySpeechContext, order: LegacyOrder): Promise<Result<number, Failure>> {
  const { text, language, speed, voice, target, signal } = order;
  const opened = await client.live.legacyCall();
  if (!opened.ok) return err(refusedLegacyKey(opened.error));
  const call = opened.value;
  if (signal.aborted) {
    call.cut();
    return err(makeFailure('E-107', { code: 'cancelled', outcome: 'not_sent', layer: 'local' }));
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
    return err(makeFailure('E-175', { code: 'cannot_write', outcome: 'accepted', layer: 'local' }));
  }
  return ok(spoken.value.wav.length);
}

/**
 * The speech of an earlier attempt whose answer was lost, as the service lists it: only when one entry fits, and nothing
 * else that was sent from here can be that entry.
 */
async function fetchEarlier(
  context: LegacySpeechContext,
  order: LegacyOrder,
  sinceMs: number,
): Promise<Result<number, Failure>> {
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
    ? err(localFailure('E-041'))
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
): Promise<Result<number, Failure>> {
  if (audioPath === null) return err(localFailure('E-024', { outcome: 'accepted' }));
  const received = await downloader.download({
    target,
    signal,
    freshUrl: async () => client.legacy.audioAddress(audioPath),
  });
  return received.ok ? ok(received.value.sizeBytes) : err({ ...received.error, outcome: 'accepted' });
}
