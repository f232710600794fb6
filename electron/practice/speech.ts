import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { speechLanguages, type SpeechLanguage } from '../../shared/domain/languages.ts';
import { monoWav } from '../audio/encode/audio-writer.ts';
import type { ClonedVoice } from './cloning.ts';
import { bill, charactersOf, refuseUnaffordable, release, settle, speechUnits, wholeCredits } from './credits.ts';
import {
  createOnce,
  historyOf,
  json,
  newId,
  readIdempotencyKey,
  readJson,
  refuse,
  route,
  validate,
  type Answer,
  type Exchange,
  type Once,
  type Route,
} from './http.ts';
import type { Services } from './services.ts';
import type { Utterance } from './speaker.ts';
import { get, wire } from './state.ts';
import { objectPath, writeObject } from './storage.ts';

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

/** Two voices for each language, with their names in espeak-ng. They sound like the machine that they are. */
const voices = (
  [
    ['uz', 'Lola', 'female', 'uz+f2'],
    ['uz', 'Anvar', 'male', 'uz+m3'],
    ['ru', 'Vera', 'female', 'ru+f2'],
    ['ru', 'Pavel', 'male', 'ru+m3'],
    ['en', 'Alice', 'female', 'en-us+f2'],
    ['en', 'Oliver', 'male', 'en-gb+m3'],
  ] as const
).map(([language, name, gender, program]) => {
  const id = `voice_practice_${language}_${name.toLowerCase()}`;
  return { id, name, language, gender, program };
});

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
  const samples = await speaker.say(utteranceOf(text, speed, spokenVoice), speechRate);
  if (samples === null) {
    fail(generation, services);
    save();
    return null;
  }
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

function admit(order: z.output<typeof body>, once: Once, exchange: Exchange, services: Services): Promise<Answer> {
  const { state, save, speaker, limits, now } = services;
  const { text, language, voice_id: voiceId, speed } = order;
  const spokenVoice = findSpokenVoice(voiceId, services);
  if (spokenVoice === null || spokenVoice.language !== language) {
    const words = spokenVoice === null ? 'is not in the catalogue' : 'does not speak this language';
    return refuse(400, 'validation_error', 'Some fields are not right.', { voice_id: words });
  }
  if (!speaker.canSay(text))
    unavailable('Practice mode speaks with the program espeak-ng, which is not installed on this computer.');
  const units = speechUnits(text);
  refuseUnaffordable(state, exchange.caller, units);
  const id = newId('gen');
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
    createdAtMs: now(),
  };
  state.generations[id] = generation;
  once.use(id);
  bill(services, exchange, {
    subject: id,
    product: 'tts',
    operation: 'generate',
    characters: charactersOf(text),
    units,
    state: 'held',
    route: 'POST /v1/tts',
    idempotencyKey: once.key,
    audioSha256: once.fingerprint,
    fields: { language, voice_id: voiceId, speed },
  });
  save();
  const work = speaker.track(id, speakAndKeep(generation, spokenVoice, services));
  return answerWork(id, work, limits.speechPatienceMs);
}

async function generateSpeech(exchange: Exchange, services: Services): Promise<Answer> {
  const key = readIdempotencyKey(exchange.request);
  const order = await readJson(exchange.request, body);
  const { text, language, voice_id: voiceId, speed } = order;
  const replay = async (id: string): Promise<Answer> => {
    const work = services.speaker.working(id);
    if (work !== null) return answerWork(id, work, services.limits.speechPatienceMs);
    return audio(id, await readFile(objectPath(services, id, 'wav')));
  };
  const create = (once: Once): Promise<Answer> => admit(order, once, exchange, services);
  return createOnce(services, 'tts', key, [text, language, voiceId, speed], create, replay);
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

const ownVoice = ({ id, number, language, metadata }: ClonedVoice) =>
  metadata === null
    ? []
    : {
        ...metadata,
        voice_id: id,
        older_id: number,
        name: `${metadata.name} (${cloneNotes[language]})`,
        language,
        gender: metadata.labels.gender ?? 'neutral',
        kind: 'custom',
        model: speechModel,
        can_manage: true,
      };

const voicesQuery = z.object({ language: z.enum(speechLanguages).optional(), kind: z.literal('custom').optional() });

function listVoices({ query }: Exchange, { state }: Services): Answer {
  const { language, kind } = validate(voicesQuery, Object.fromEntries(query));
  const system = voices.map(({ program: _program, id, ...known }) => ({
    voice_id: id,
    ...known,
    kind: 'system',
    model: speechModel,
    can_manage: false,
  }));
  const all = [...(kind === 'custom' ? [] : system), ...Object.values(state.voices).flatMap(ownVoice)];
  return json(200, { voices: all.filter((one) => language === undefined || one.language === language) });
}

const asItem = ({ seq: _seq, isHidden: _hidden, durationMs, ...shown }: Generation) => ({
  ...wire(durationMs === null ? shown : { ...shown, durationMs }),
  characters: charactersOf(shown.text),
  credits_used: shown.status === 'completed' ? wholeCredits(speechUnits(shown.text)) : 0,
});

const { find, list, hide } = historyOf(({ generations }) => generations, { usual: 30, most: 100 }, asItem);

function readGeneration(exchange: Exchange, services: Services): Answer {
  const generation = find(exchange, services);
  const address = generation.status === 'completed' ? services.links.linkTo(generation.id, 'wav') : null;
  return json(200, { ...asItem(generation), audio_url: address });
}

const oneGeneration = '/v1/tts/generations/:generationId';

export const speechRoutes: readonly Route[] = [
  route('POST', '/v1/tts', generateSpeech, 'text_to_speech:write'),
  route('GET', '/v1/tts/languages', listSpeechLanguages, 'text_to_speech:read'),
  route('GET', '/v1/tts/generations', list, 'text_to_speech:read'),
  route('GET', oneGeneration, readGeneration, 'text_to_speech:read'),
  route('DELETE', oneGeneration, hide, 'text_to_speech:write'),
  route('GET', '/v1/voices', listVoices, 'voices:read'),
];
