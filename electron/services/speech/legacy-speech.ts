import { writeFile } from 'node:fs/promises';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { speechLanguages } from '../../../shared/domain/languages.ts';
import { legacyVoiceOf, type LegacyVoiceChoice } from '../../../shared/domain/speech/legacy-voices.ts';
import { countCharacters } from '../../../shared/domain/speech/split-text.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { legacyLimits } from '../../api/legacy/resources.ts';
import type { Downloader } from '../../api/http/download-signed.ts';
import { closeIfRefused, openPaidRequest, type PaidContext } from '../account/paid-requests.ts';
import type { SpeechWanted, SpokenText } from './speech-service.ts';

export interface LegacySpeechContext extends PaidContext {
  readonly downloader: Downloader;
  /** What the connection of the moment has of the legacy API. */
  readonly legacyAccess: { readonly hasKey: boolean; readonly hasCall: boolean };
}

/** What is wanted, after everything that the legacy API would refuse was refused here. */
interface LegacyOrder extends SpeechWanted {
  readonly language: (typeof speechLanguages)[number];
  readonly voice: LegacyVoiceChoice;
}

/** Tolerated difference between the clocks of the service and this computer. */
const clockSlackMs = 60_000;
const listed = 50;
/** Of a WAV with one channel of 16-bit samples, as the legacy API writes it. */
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
  const isUzbek = language === 'uz';
  const mood = `${voice.mood.charAt(0).toUpperCase()}${voice.mood.slice(1)}` as
    | 'Neutral'
    | 'Cheerful'
    | 'Happy'
    | 'Sad';
  const spoken = await client.legacy.speak({ transcript: text, language, ...(isUzbek ? { mood, speed } : {}) }, signal);
  return spoken.ok ? fetchAudio(context, order, spoken.value.audioPath) : err(ofOneText(spoken.error));
}

async function sendByCall({ client }: LegacySpeechContext, order: LegacyOrder): Promise<Result<number, Failure>> {
  const { text, language, speed, voice, target, signal } = order;
  const opened = await client.live.legacyCall();
  if (!opened.ok) return err(ofOneText(opened.error));
  const call = opened.value;
  const stop = () => call.cut();
  signal.addEventListener('abort', stop, { once: true });
  const spoken = await call.speak({ text, speaker: voice.mood, language, speed });
  signal.removeEventListener('abort', stop);
  if (!spoken.ok) {
    call.cut();
    return err(ofOneText(spoken.error));
  }
  void call.end();
  try {
    await writeFile(target, spoken.value.wav, { mode: 0o600 });
  } catch {
    return err(makeFailure('E-175', { code: 'cannot_write', outcome: 'accepted', layer: 'local' }));
  }
  return ok(spoken.value.wav.length);
}

/** The speech of an earlier attempt whose answer was lost, as the service lists it. */
async function fetchEarlier(
  context: LegacySpeechContext,
  order: LegacyOrder,
  sinceMs: number,
): Promise<Result<number, Failure>> {
  const page = await context.client.legacy.speeches({ page: 1, limit: listed }, order.signal);
  if (!page.ok) return err({ ...ofOneText(page.error), outcome: 'unknown' });
  const found = page.value.items.find(
    ({ transcript, createdAt, audioPath }) =>
      transcript === order.text && audioPath !== null && Date.parse(createdAt ?? '') >= sinceMs - clockSlackMs,
  );
  return found === undefined ? err(localFailure('E-041')) : fetchAudio(context, order, found.audioPath);
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

/** A refused legacy key says nothing about the key that everything else uses. */
const ofOneText = (failure: Failure): Failure =>
  failure.row === 'E-032' || failure.row === 'E-037'
    ? localFailure('E-211', { code: 'legacy_key_refused', outcome: 'refused', requestId: failure.requestId })
    : failure;
