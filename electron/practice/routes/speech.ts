import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { speechLanguages } from '../../../shared/domain/languages.ts';
import { refuseUnaffordable } from '../billing/credits.ts';
import { wholeCredits } from '../billing/units.ts';
import { json, noContent, problem, type Answer } from '../http/answer.ts';
import { inTurn, keyConflict, readIdempotencyKey } from '../http/idempotency-key.ts';
import { cutPage, readPageQuery } from '../http/page-query.ts';
import { readJson } from '../http/read-json.ts';
import type { Exchange, KeyedExchange } from '../http/route.ts';
import type { Services } from '../services.ts';
import { charactersOf, speechArea, speechUnits } from '../speech/speaker.ts';
import type { Utterance } from '../speech/speech-program.ts';
import { findSpokenVoice, nameInCatalogue, type SpokenVoice } from '../speech/spoken-voice.ts';
import { languageNames, speechModel, spokenLanguages, voices } from '../speech/voices.ts';
import type { Generation } from '../state/generations.ts';
import { objectName } from '../storage/object-store.ts';

const speedRange = { least: 0.5, most: 2, usual: 1 };

const noProgram = problem(
  503,
  'service_unavailable',
  'Practice mode speaks with the program espeak-ng, which is not installed on this computer.',
);
const failed = problem(
  503,
  'service_unavailable',
  'The program espeak-ng could not speak this text. Nothing was charged.',
);
const notFound = problem(404, 'not_found', 'There is no generation with this identifier.');

const body = z.strictObject({
  text: z
    .string()
    .refine((text) => text.trim() !== '', { error: 'must not be empty' })
    .refine((text) => charactersOf(text) <= 5000, { error: 'at most 5000 characters' }),
  language: z.enum(speechLanguages, { error: 'must be uz, en or ru' }),
  voice_id: z.string(),
  speed: z.number().min(speedRange.least).max(speedRange.most).default(speedRange.usual),
});
type Order = z.output<typeof body>;

const utteranceOf = ({ text, speed }: Order, { program, pitch }: SpokenVoice): Utterance => ({
  text,
  voice: program,
  speed,
  ...(pitch === undefined ? {} : { pitch }),
});

const pending = (id: string): Answer => json(202, { id, generation_id: id, status: 'pending' });

const audio = (id: string, wav: Buffer): Answer => ({
  kind: 'bytes',
  status: 200,
  contentType: 'audio/wav',
  body: wav,
  headers: { 'x-generation-id': id },
});

/** The audio as soon as it exists; a text that takes longer than clients wait is answered as pending. */
async function answerWork(id: string, work: Promise<Buffer | null>, patienceMs: number): Promise<Answer> {
  const done = await Promise.race([work, wait(patienceMs, 'late' as const, { ref: false })]);
  if (done === 'late') return pending(id);
  return done === null ? failed : audio(id, done);
}

async function admit(
  exchange: KeyedExchange,
  services: Services,
  idempotencyKey: string,
  order: Order,
): Promise<Answer> {
  const { speaker, generations, credits, idempotency, objects, ledger, limits } = services;
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([order.text, order.language, order.voice_id, order.speed]))
    .digest('hex');
  const used = idempotency.find(speechArea, idempotencyKey);
  if (used !== null) {
    if (used.fingerprint !== fingerprint) return keyConflict;
    const work = speaker.working(used.subject);
    if (work !== null) return answerWork(used.subject, work, limits.speechPatienceMs);
    const path = objects.pathOf(objectName(used.subject, 'wav')) ?? '';
    return audio(used.subject, await readFile(path));
  }
  const voice = findSpokenVoice(order.voice_id, services);
  if (voice === null || voice.language !== order.language) {
    const words = voice === null ? 'is not in the catalogue' : 'does not speak this language';
    return problem(400, 'validation_error', 'Some fields are not right.', { voice_id: words });
  }
  if (!speaker.canSay(order.text)) return noProgram;
  const id = `gen_${randomUUID().replaceAll('-', '')}`;
  const atMs = services.now();
  const units = speechUnits(order.text);
  const refusal = services.transaction(() => {
    const unaffordable = credits.holdAll(exchange.caller, [
      {
        subject: id,
        requestId: exchange.requestId,
        keyId: exchange.caller.id,
        product: 'tts',
        operation: 'generate',
        characters: charactersOf(order.text),
        units,
        atMs,
      },
    ]);
    if (unaffordable !== null) return unaffordable;
    const { text, language, voice_id: voiceId, speed } = order;
    generations.add({ id, text, language, voiceId, speed, atMs });
    idempotency.use(speechArea, idempotencyKey, { fingerprint, subject: id });
    ledger.add({
      atMs,
      route: 'POST /v1/tts',
      idempotencyKey,
      contentSha256: fingerprint,
      fields: { language, voice_id: voiceId, speed },
      subject: id,
    });
    return null;
  });
  const answer = refuseUnaffordable(refusal);
  if (answer !== null) return answer;
  const work = speaker.work(id, utteranceOf(order, voice));
  return answerWork(id, work, limits.speechPatienceMs);
}

/** POST /v1/tts: a text as audio, mono at 24 kHz */
export async function generateSpeech(exchange: KeyedExchange, services: Services): Promise<Answer> {
  const key = readIdempotencyKey(exchange.request);
  if (!key.ok) return key.error;
  const order = await readJson(exchange.request, body);
  if (!order.ok) return order.error;
  return inTurn(services.admissions, `${speechArea} ${key.value}`, () =>
    admit(exchange, services, key.value, order.value),
  );
}

/** GET /v1/tts/languages */
export function listSpeechLanguages(_exchange: Exchange, { speaker }: Services): Answer {
  const languages = spokenLanguages.map((code) => ({
    code,
    name: languageNames[code],
    model: speechModel,
    available: speaker.isAvailable,
    voices: voices.filter(({ language }) => language === code).length,
  }));
  const speed = { min: speedRange.least, max: speedRange.most, default: speedRange.usual };
  return json(200, { languages, model: speechModel, speed, format: 'wav', sample_rate: 24_000, channels: 1 });
}

/** GET /v1/voices */
export function listVoices({ query }: Exchange, { clonedVoices }: Services): Answer {
  const language = query.get('language');
  const kind = query.get('kind');
  if (language !== null && !spokenLanguages.some((code) => code === language))
    return problem(400, 'validation_error', 'There are no voices for this language.', {
      language: 'must be uz, en or ru',
    });
  if (kind !== null && kind !== 'custom')
    return problem(400, 'validation_error', 'This kind of voices is not known.', { kind: 'must be custom' });
  const speaks = (voice: { readonly language: string }): boolean => language === null || voice.language === language;
  const own = clonedVoices
    .all()
    .filter(speaks)
    .map((voice) => ({
      voice_id: voice.id,
      older_id: voice.number,
      name: nameInCatalogue(voice),
      description: voice.metadata.description,
      language: voice.language,
      gender: voice.metadata.labels.gender ?? 'neutral',
      labels: voice.metadata.labels,
      orb_palette: voice.metadata.orbPalette,
      kind: 'custom',
      model: speechModel,
      can_manage: true,
    }));
  if (kind === 'custom') return json(200, { voices: own });
  const entries = voices.filter(speaks).map(({ id, name, gender, language: spoken }) => ({
    voice_id: id,
    name,
    language: spoken,
    gender,
    kind: 'system',
    model: speechModel,
    can_manage: false,
  }));
  return json(200, { voices: [...entries, ...own] });
}

const asItem = ({ id, text, voiceId, language, speed, status, createdAtMs, durationMs }: Generation) => ({
  id,
  text,
  voice_id: voiceId,
  language,
  speed,
  status,
  created_at: new Date(createdAtMs).toISOString(),
  ...(durationMs === null ? {} : { duration_ms: durationMs }),
  characters: charactersOf(text),
  credits_used: status === 'completed' ? wholeCredits(speechUnits(text)) : 0,
});

/** GET /v1/tts/generations, newest first */
export function listGenerations({ query }: Exchange, { generations }: Services): Answer {
  const page = readPageQuery(query, { usual: 30, most: 100 });
  if (!page.ok) return page.error;
  const { limit, beforeSeq } = page.value;
  const { items, nextCursor } = cutPage(generations.page(limit + 1, beforeSeq), limit);
  return json(200, { data: items.map(asItem), has_more: nextCursor !== null, next_cursor: nextCursor });
}

/** GET /v1/tts/generations/{generation_id}, with a fresh address of its audio */
export function readGeneration({ params }: Exchange, { generations, links }: Services): Answer {
  const generation = generations.read(params['generationId'] ?? '');
  if (generation === null) return notFound;
  const address = generation.status === 'completed' ? links.linkTo(objectName(generation.id, 'wav')) : null;
  return json(200, { ...asItem(generation), audio_url: address });
}

/** DELETE /v1/tts/generations/{generation_id}: hides it in the history, and nothing else */
export function hideGeneration({ params }: Exchange, { generations }: Services): Answer {
  return generations.hide(params['generationId'] ?? '') ? noContent : notFound;
}
