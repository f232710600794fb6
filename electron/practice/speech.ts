import {
  newId,
  found,
  inTurn,
  json,
  keyed,
  noContent,
  pageOf,
  problem,
  readIdempotencyKey,
  readJson,
  refuse,
  type Answer,
  type Exchange,
  type Route,
} from './http.ts';
import { monoWav } from '../audio/encode/audio-writer.ts';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { speechLanguages, type SpeechLanguage } from '../../shared/domain/languages.ts';
import type { ClonedVoice } from './cloning.ts';
import { bill, charactersOf, refuseUnaffordable, release, settle, speechUnits, wholeCredits } from './credits.ts';
import type { Services } from './services.ts';
import { get } from './state.ts';
import { objectPath, writeObject } from './storage.ts';
import type { Utterance } from './speaker.ts';

/** Hidden generations are kept, because their audio may still be in use. */
export interface Generation {
  readonly seq: number;
  readonly id: string;
  readonly text: string;
  readonly language: SpeechLanguage;
  readonly voiceId: string;
  readonly speed: number;
  status: 'pending' | 'completed' | 'failed';
  durationMs: number | null;
  isHidden: boolean;
  readonly createdAtMs: number;
}

const speechRate = 24_000;
const speedRange = { least: 0.5, most: 2, usual: 1 };
const speechModel = 'practice-espeak-ng';

/** A voice of the catalogue. `program` is its name in espeak-ng. */
interface Voice {
  readonly id: string;
  readonly name: string;
  readonly language: SpeechLanguage;
  readonly gender: 'female' | 'male';
  readonly program: string;
}

const voice = (language: SpeechLanguage, name: string, gender: Voice['gender'], program: string): Voice => ({
  id: `voice_practice_${language}_${name.toLowerCase()}`,
  name,
  language,
  gender,
  program,
});

/** Two for each language. They sound like the machine that they are. */
export const voices: readonly Voice[] = [
  voice('uz', 'Lola', 'female', 'uz+f2'),
  voice('uz', 'Anvar', 'male', 'uz+m3'),
  voice('ru', 'Vera', 'female', 'ru+f2'),
  voice('ru', 'Pavel', 'male', 'ru+m3'),
  voice('en', 'Alice', 'female', 'en-us+f2'),
  voice('en', 'Oliver', 'male', 'en-gb+m3'),
];

const languageNames: Readonly<Record<SpeechLanguage, string>> = { uz: 'Oʻzbekcha', ru: 'Русский', en: 'English' };

/** A voice as the program speaks with it; `pitch` is 0 to 99, absent for the voice's own. */
export interface SpokenVoice {
  readonly language: SpeechLanguage;
  readonly program: string;
  readonly pitch?: number;
}

const highFrom = 150;
/** The usual pitch of the program's two voices, and how far its whole range reaches up or down. */
const usualHz = { high: 198, low: 104 };
const pitchPerOctave = 62;
const variants: Readonly<Record<SpeechLanguage, string>> = { uz: 'uz', ru: 'ru', en: 'en-us' };

/** The program's voice at the pitch of the user: no clone, and the catalogue says so. */
function asSpoken({ language, pitchHz }: ClonedVoice): SpokenVoice {
  const hz = pitchHz ?? usualHz.low;
  const isHigh = hz >= highFrom;
  const octaves = Math.log2(hz / (isHigh ? usualHz.high : usualHz.low));
  const pitch = Math.max(0, Math.min(99, Math.round(50 + octaves * pitchPerOctave)));
  return { language, program: `${variants[language]}${isHigh ? '+f2' : '+m3'}`, pitch };
}

/** A voice of the catalogue or of the account; null: there is no such voice, or no longer. */
export function findSpokenVoice(id: string, { state }: Services): SpokenVoice | null {
  const known = voices.find((one) => one.id === id);
  if (known !== undefined) return known;
  const cloned = get(state.voices, id);
  return cloned === null || cloned.metadata === null ? null : asSpoken(cloned);
}

export const utteranceOf = (text: string, speed: number, { program, pitch }: SpokenVoice): Utterance => ({
  text,
  voice: program,
  speed,
  ...(pitch === undefined ? {} : { pitch }),
});

function fail(generation: Generation, { state }: Services): void {
  generation.status = 'failed';
  release(state, generation.id);
  // Work that failed for good may be requested again with its key.
  for (const [key, { subject }] of Object.entries(state.used)) if (subject === generation.id) delete state.used[key];
}

/** Work that an earlier process left is not resumed: its key is free again, and nothing is charged. */
export function dropUnfinishedSpeech(services: Services): void {
  for (const generation of Object.values(services.state.generations))
    if (generation.status === 'pending') fail(generation, services);
}

/** The sound of an accepted generation; null: it failed, and the held credits are available again. */
async function speakAndKeep(
  generation: Generation,
  spokenVoice: SpokenVoice,
  services: Services,
): Promise<Buffer | null> {
  const { id, text, speed } = generation;
  const { state, save, speaker, deliverer } = services;
  const spoken = await speaker.say(utteranceOf(text, speed, spokenVoice), speechRate);
  if (!spoken.ok) {
    fail(generation, services);
    save();
    return null;
  }
  const { samples } = spoken.value;
  const wav = monoWav(samples, speechRate);
  await writeObject(services, id, 'wav', wav);
  const durationMs = Math.round((samples.length / speechRate) * 1000);
  Object.assign(generation, { status: 'completed', durationMs });
  settle(state, id);
  save();
  const credits = wholeCredits(speechUnits(text));
  const event = { object: 'tts_generation', id, status: 'completed', duration_ms: durationMs, credits_used: credits };
  deliverer.emit('tts.generation.completed', event);
  return wav;
}

const unavailable = (why: string): never => refuse(503, 'service_unavailable', why);

const body = z.strictObject({
  text: z
    .string()
    .refine((text) => text.trim() !== '', { error: 'must not be empty' })
    .refine((text) => charactersOf(text) <= 5000, { error: 'at most 5000 characters' }),
  language: z.enum(speechLanguages, { error: 'must be uz, en or ru' }),
  voice_id: z.string(),
  speed: z.number().min(speedRange.least).max(speedRange.most).default(speedRange.usual),
});

const audio = (id: string, wav: Buffer): Answer => ({
  status: 200,
  headers: { 'content-type': 'audio/wav', 'x-generation-id': id },
  body: wav,
});

/** The audio as soon as it exists; a text that takes longer than clients wait is answered as pending. */
async function answerWork(id: string, work: Promise<Buffer | null>, patienceMs: number): Promise<Answer> {
  const done = await Promise.race([work, wait(patienceMs, 'late' as const, { ref: false })]);
  if (done === 'late') return json(202, { id, generation_id: id, status: 'pending' });
  if (done === null) return unavailable('The program espeak-ng could not speak this text. Nothing was charged.');
  return audio(id, done);
}

async function admit(
  { caller, requestId }: Exchange,
  services: Services,
  idempotencyKey: string,
  order: z.output<typeof body>,
): Promise<Answer> {
  const { state, save, speaker, limits, now } = services;
  const { text, language, voice_id: voiceId, speed } = order;
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([text, language, voiceId, speed]))
    .digest('hex');
  const used = get(state.used, `tts ${idempotencyKey}`);
  if (used !== null) {
    if (used.fingerprint !== fingerprint)
      refuse(409, 'idempotency_conflict', 'This Idempotency-Key was used for another request.');
    const work = speaker.working(used.subject);
    if (work !== null) return answerWork(used.subject, work, limits.speechPatienceMs);
    return audio(used.subject, await readFile(objectPath(services, used.subject, 'wav')));
  }
  const spokenVoice = findSpokenVoice(voiceId, services);
  if (spokenVoice === null || spokenVoice.language !== language) {
    const words = spokenVoice === null ? 'is not in the catalogue' : 'does not speak this language';
    return refuse(400, 'validation_error', 'Some fields are not right.', { voice_id: words });
  }
  if (!speaker.canSay(text))
    unavailable('Practice mode speaks with the program espeak-ng, which is not installed on this computer.');
  const units = speechUnits(text);
  refuseUnaffordable(state, caller, units);
  const id = newId('gen');
  const atMs = now();
  const generation: Generation = {
    seq: (state.seq += 1),
    id,
    text,
    language,
    voiceId,
    speed,
    status: 'pending',
    durationMs: null,
    isHidden: false,
    createdAtMs: atMs,
  };
  state.generations[id] = generation;
  state.used[`tts ${idempotencyKey}`] = { fingerprint, subject: id };
  bill(state, {
    subject: id,
    requestId,
    keyId: caller.id,
    product: 'tts',
    operation: 'generate',
    characters: charactersOf(text),
    units,
    state: 'held',
    atMs,
    route: 'POST /v1/tts',
    idempotencyKey,
    audioSha256: fingerprint,
    fields: { language, voice_id: voiceId, speed },
  });
  save();
  const work = speaker.track(id, speakAndKeep(generation, spokenVoice, services));
  return answerWork(id, work, limits.speechPatienceMs);
}

async function generateSpeech(exchange: Exchange, services: Services): Promise<Answer> {
  const key = readIdempotencyKey(exchange.request);
  const order = await readJson(exchange.request, body);
  return inTurn(`tts ${key}`, () => admit(exchange, services, key, order));
}

function listSpeechLanguages(_exchange: Exchange, { speaker }: Services): Answer {
  const languages = speechLanguages.map((code) => ({
    code,
    name: languageNames[code],
    model: speechModel,
    available: speaker.isAvailable,
    voices: voices.filter(({ language }) => language === code).length,
  }));
  const speed = { min: speedRange.least, max: speedRange.most, default: speedRange.usual };
  return json(200, { languages, model: speechModel, speed, format: 'wav', sample_rate: 24_000, channels: 1 });
}

const cloneNotes: Readonly<Record<SpeechLanguage, string>> = {
  uz: 'mashq ovozi, nusxa emas',
  ru: 'учебный голос, не клон',
  en: 'practice voice, not a clone',
};

function listVoices({ query }: Exchange, { state }: Services): Answer {
  const language = query.get('language');
  const kind = query.get('kind');
  if (language !== null && !speechLanguages.some((code) => code === language))
    refuse(400, 'validation_error', 'There are no voices for this language.', { language: 'must be uz, en or ru' });
  if (kind !== null && kind !== 'custom')
    refuse(400, 'validation_error', 'This kind of voices is not known.', { kind: 'must be custom' });
  const speaks = (one: { readonly language: string }): boolean => language === null || one.language === language;
  const own = Object.values(state.voices)
    .filter(speaks)
    .flatMap(({ id, number, language: spoken, metadata }) =>
      metadata === null
        ? []
        : [
            {
              voice_id: id,
              older_id: number,
              name: `${metadata.name} (${cloneNotes[spoken]})`,
              description: metadata.description,
              language: spoken,
              gender: metadata.labels.gender ?? 'neutral',
              labels: metadata.labels,
              orb_palette: metadata.orb_palette,
              kind: 'custom',
              model: speechModel,
              can_manage: true,
            },
          ],
    );
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

const shown = ({ state }: Services): readonly Generation[] =>
  Object.values(state.generations).filter(({ isHidden }) => !isHidden);

const find = ({ id }: Exchange, services: Services): Generation =>
  found(
    shown(services).find((generation) => generation.id === id),
    problem(404, 'not_found', 'There is no generation with this identifier.'),
  );

function listGenerations({ query }: Exchange, services: Services): Answer {
  const { items, nextCursor } = pageOf(shown(services), query, { usual: 30, most: 100 });
  return json(200, { data: items.map(asItem), has_more: nextCursor !== null, next_cursor: nextCursor });
}

function readGeneration(exchange: Exchange, services: Services): Answer {
  const generation = find(exchange, services);
  const address = generation.status === 'completed' ? services.links.linkTo(generation.id, 'wav') : null;
  return json(200, { ...asItem(generation), audio_url: address });
}

function hideGeneration(exchange: Exchange, services: Services): Answer {
  find(exchange, services).isHidden = true;
  services.save();
  return noContent;
}

const oneGeneration = '/v1/tts/generations/:generationId';

export const speechRoutes: readonly Route[] = [
  keyed('POST', '/v1/tts', 'text_to_speech:write', generateSpeech),
  keyed('GET', '/v1/tts/languages', 'text_to_speech:read', listSpeechLanguages),
  keyed('GET', '/v1/tts/generations', 'text_to_speech:read', listGenerations),
  keyed('GET', oneGeneration, 'text_to_speech:read', readGeneration),
  keyed('DELETE', oneGeneration, 'text_to_speech:write', hideGeneration),
  keyed('GET', '/v1/voices', 'voices:read', listVoices),
];
