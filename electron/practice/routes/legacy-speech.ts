import { randomUUID } from 'node:crypto';
import { type Answer, json } from '../http/answer.ts';
import type { Exchange } from '../http/route.ts';
import { readLegacyForm, readLegacyPage } from '../legacy/form.ts';
import { legacyCaller } from '../legacy/key.ts';
import { builtInModel, mostLegacyCharacters, moods, sayLegacy, type Mood, type LegacyOrder } from '../legacy/voice.ts';
import { legacyProblem, type LegacyError } from '../legacy/words.ts';
import type { LegacySpeechRecord } from '../legacy/records.ts';
import type { Services } from '../services.ts';
import { charactersOf, speechUnits } from '../speech/speaker.ts';
import { findSpokenVoice, type SpokenVoice } from '../speech/spoken-voice.ts';
import { objectName } from '../storage/object-store.ts';
import { callbackTrouble } from '../webhooks/webhook-store.ts';
import { speechLanguages, type SpeechLanguage } from '../../../shared/domain/languages.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';

interface Order extends LegacyOrder {
  readonly model: string;
  readonly isTask: boolean;
}

const refusals: Readonly<Partial<Record<LegacyError, number>>> = { voice_not_found: 403 };

/** A voice of the account by its number (`older_id` in the catalogue); null: none that speaks the language. */
function ownVoice(number: string, language: SpeechLanguage, services: Services): SpokenVoice | null {
  const voice = /^\d{1,9}$/.test(number) ? services.clonedVoices.findByNumber(Number(number)) : null;
  return voice === null || voice.language !== language ? null : findSpokenVoice(voice.id, services);
}

/** Validates the fields by contract 4.14; those for Uzbek are refused for other languages. */
function readOrder(fields: ReadonlyMap<string, string>, services: Services): Result<Order, LegacyError> {
  const text = fields.get('transcript') ?? '';
  if (text.trim() === '' || charactersOf(text) > mostLegacyCharacters) return err('invalid_transcript');
  const language = speechLanguages.find((known) => known === (fields.get('language') ?? 'uz'));
  if (language === undefined) return err('invalid_language');
  const isUzbek = language === 'uz';
  const [model, mood, speed, voice] = ['model', 'mood', 'speed', 'voice_id'].map((name) => fields.get(name));
  if (model !== undefined && (!isUzbek || model !== builtInModel)) return err('invalid_model');
  const known: Mood | undefined = moods.find((one) => one === (mood ?? 'neutral').toLowerCase());
  if (known === undefined || (mood !== undefined && (!isUzbek || voice !== undefined))) return err('invalid_model');
  const pace = speed === undefined || speed === '0' ? 1 : Number(speed);
  if ((speed !== undefined && !isUzbek) || !(pace >= 0.5 && pace <= 2)) return err('invalid_speed');
  const own = voice === undefined ? undefined : ownVoice(voice, language, services);
  if (own === null) return err('voice_not_found');
  const notice = fields.get('webhook_notification_url');
  if (notice !== undefined && callbackTrouble(notice) !== null) return err('invalid_notification_url');
  const isTask = notice !== undefined;
  return ok({
    text,
    language,
    mood: known,
    speed: pace,
    model: builtInModel,
    isTask,
    ...(own === undefined ? {} : { own }),
  });
}

const audioOf = (id: number): string => objectName(`older_${id}`, 'wav');

/** Speaks an accepted text; false: it failed, and the held credits are available again. */
async function work(id: number, taskId: string, order: Order, services: Services): Promise<boolean> {
  const { legacyRecords, objects, credits } = services;
  const audio = await sayLegacy(order, services);
  if (!audio.ok) {
    legacyRecords.endSpeech(id, 'FAILED');
    credits.release(taskId);
    return false;
  }
  await objects.write(audioOf(id), audio.value.wav);
  legacyRecords.endSpeech(id, 'SUCCESS');
  credits.settle(taskId, { units: speechUnits(order.text), durationMs: audio.value.durationMs });
  return true;
}

/**
 * POST /api/v1/tts/post/: the audio at once, or a task when there is a callback address. No callback leaves this
 * computer.
 */
export async function speakLegacy({ request, requestId }: Exchange, services: Services): Promise<Answer | null> {
  const { legacyRecords, legacyWork, credits, ledger, transaction, speaker, now } = services;
  const form = await readLegacyForm(request);
  if (form === null) return legacyProblem(request, 400, 'invalid_form');
  const order = readOrder(form, services);
  if (!order.ok) return legacyProblem(request, refusals[order.error] ?? 400, order.error);
  if (!speaker.isAvailable) return legacyProblem(request, 503, 'unavailable');
  const { text, language, mood, speed, model, isTask } = order.value;
  const taskId = randomUUID();
  const atMs = now();
  const units = speechUnits(text);
  const characters = charactersOf(text);
  const id = transaction(() => {
    if (credits.refusal(legacyCaller, units) !== null) return null;
    credits.hold({
      subject: taskId,
      requestId,
      keyId: legacyCaller.id,
      product: 'tts',
      operation: 'older',
      characters,
      units,
      atMs,
    });
    ledger.add({
      atMs,
      route: 'POST /api/v1/tts/post/',
      idempotencyKey: taskId,
      contentSha256: taskId,
      fields: { language, mood, speed },
      subject: taskId,
    });
    return legacyRecords.addSpeech({ taskId, transcript: text, language, model, mood, characters, createdAtMs: atMs });
  });
  if (id === null) return legacyProblem(request, 402, 'insufficient_balance');
  const done = legacyWork.run(() => work(id, taskId, order.value, services));
  if (isTask) return json(202, { id, task_id: taskId, status: 'PENDING' });
  if (!(await done)) return legacyProblem(request, 503, 'unavailable');
  return json(201, { audio_path: pathOf(id, services) });
}

/** Signed, and without the host: the client joins it to the address of the service. */
const pathOf = (id: number, { links }: Services): string => {
  const { pathname, search } = new URL(links.linkTo(audioOf(id)));
  return `${pathname}${search}`;
};

/** GET /api/v1/tts/status/{id}/ */
export function readLegacySpeech({ request, params }: Exchange, services: Services): Answer {
  const id = /^\d{1,15}$/.test(params['id'] ?? '') ? Number(params['id']) : 0;
  const record = services.legacyRecords.speech(id);
  if (record === null) return legacyProblem(request, 404, 'not_found');
  const { status, taskId, characters } = record;
  const path = status === 'SUCCESS' ? pathOf(id, services) : null;
  return json(200, { id, status, task_id: taskId, audio_path: path, characters });
}

/** GET /api/v1/tts/get/, newest first */
export function listLegacySpeeches({ query }: Exchange, services: Services): Answer {
  const page = readLegacyPage(query);
  const { items, count } = services.legacyRecords.speeches(page.page, page.limit);
  const results = items.map(({ id, transcript, model, mood, status, createdAtMs }: LegacySpeechRecord) => ({
    id,
    transcript,
    audio_url: status === 'SUCCESS' ? services.links.linkTo(audioOf(id)) : null,
    model,
    mood,
    created_at: new Date(createdAtMs).toISOString(),
  }));
  return json(200, { count, page: page.page, limit: page.limit, results });
}
