import { createHash } from 'node:crypto';
import { copyFile, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import interviewUz from '../../assets/samples/interview-uz.json' with { type: 'json' };
import lectureRu from '../../assets/samples/lecture-ru.json' with { type: 'json' };
import podcastEn from '../../assets/samples/podcast-en.json' with { type: 'json' };
import type { HeardWord } from '../../electron/recogniser/greedy-words.ts';
import { Recogniser, type Recognition, type RecogniserOptions } from '../../electron/recogniser/recogniser.ts';
import { keepFactor, readFactors } from '../../electron/recogniser/model-store.ts';
import type { SpeechLanguage } from '../../shared/domain/languages.ts';
import { localModels, type LocalModel } from '../../shared/domain/local-models.ts';
import { model, node, types, value, weight } from '../support/onnx-model.ts';
import { folderOfFile } from '../support/test-folders.ts';

const of = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const workerUrl = new URL('../../electron/recogniser/recogniser-worker.ts', import.meta.url);
const small = {
  networkPath: of('../fixtures/recogniser/tiny.onnx'),
  vocabularyPath: of('../fixtures/recogniser/vocab.txt'),
  label: 'tiny',
};
const open: Recogniser[] = [];
const recogniserWith = (files: Partial<typeof small> = {}, options: Partial<RecogniserOptions> = {}) => {
  const modelFor = async () => ({ ...small, ...files, model: null });
  const recogniser = new Recogniser({ workerUrl, threads: 1, modelFor, ...options });
  open.push(recogniser);
  return recogniser;
};
let folder = '';
beforeAll(async () => {
  folder = folderOfFile();
});
afterAll(async () => {
  await Promise.all(open.map((one) => one.close()));
});

const samples = {
  uz: { file: 'interview-uz.mp3', known: interviewUz },
  ru: { file: 'lecture-ru.ogg', known: lectureRu },
  en: { file: 'podcast-en.flac', known: podcastEn },
} as const;

interface Heard {
  readonly outcome: Recognition;
  readonly pieces: readonly (readonly HeardWord[])[];
  readonly pieceCount: number;
}
async function hear(
  recogniser: Recogniser,
  language: SpeechLanguage,
  options: { readonly done?: number; readonly signal?: AbortSignal; readonly onPiece?: () => void } = {},
): Promise<Heard> {
  const pieces: (readonly HeardWord[])[] = [];
  let pieceCount = 0;
  const path = of(`../../assets/samples/${samples[language].file}`);
  const outcome = await recogniser.hearFile(
    { path, language, done: options.done ?? 0 },
    {
      onPlan: (plan) => (pieceCount = plan.pieces.length),
      onPiece: (words) => {
        pieces.push(words);
        options.onPiece?.();
      },
    },
    options.signal ?? new AbortController().signal,
  );
  return { outcome, pieces, pieceCount };
}
/** A doubled letter sounds like one. */
const single = (text: string) => text.replaceAll(/(.)\1/gu, '$1');
const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}ʻʼ ]/gu, '');

describe('the samples of the app', () => {
  it.each(['ru', 'en'] as const)('every word of %s is heard, where it is spoken', async (language) => {
    const { outcome, pieces } = await hear(recogniserWith(), language);
    expect(outcome).toEqual({ kind: 'done' });
    const heard = pieces.flat();
    const known = samples[language].known.segments.flatMap(({ words }) => words);
    expect(heard.map(({ text }) => single(text))).toEqual(known.map(({ text }) => single(plain(text))));
    const late = known
      .map(({ startMs }, at) => Math.abs((heard[at]?.startMs ?? 0) - startMs))
      .toSorted((a, b) => a - b);
    expect(late[Math.floor(late.length / 2)]).toBeLessThanOrEqual(40);
    expect(late.at(-1)).toBeLessThanOrEqual(120);
  });

  it('Uzbek is written with its own letters', async () => {
    const { pieces } = await hear(recogniserWith(), 'uz');
    const text = pieces.flat().map((word) => word.text);
    expect(text).toContain('oʻrgana');
    const known = new Set(interviewUz.segments.flatMap(({ words }) => words.map((word) => plain(word.text))));
    expect(text.filter((word) => !known.has(word)).length).toBeLessThanOrEqual(8);
  });
});

it('what is known already is not heard again, and what follows is the same', async () => {
  const whole = await hear(recogniserWith(), 'uz');
  const rest = await hear(recogniserWith(), 'uz', { done: 1 });
  expect(whole.pieceCount).toBeGreaterThan(1);
  expect(rest.pieces).toEqual(whole.pieces.slice(1));
});

it('canceling ends the work at once, and another recording goes on', async () => {
  const recogniser = recogniserWith();
  const controller = new AbortController();
  let canceledAt = 0;
  const first = hear(recogniser, 'uz', {
    signal: controller.signal,
    onPiece: () => {
      canceledAt = performance.now();
      controller.abort();
    },
  });
  const second = hear(recogniser, 'ru');
  expect((await first).outcome).toEqual({ kind: 'canceled' });
  expect(performance.now() - canceledAt).toBeLessThan(300);
  const { pieces, pieceCount } = await second;
  expect(pieces).toHaveLength(pieceCount);
  expect(
    pieces
      .flat()
      .slice(0, 3)
      .map(({ text }) => text),
  ).toEqual(['сегодня', 'на', 'лекции']);
});

it('a phrase is heard between the pieces of a recording', async () => {
  const recogniser = recogniserWith();
  const order: string[] = [];
  const file = hear(recogniser, 'uz', { onPiece: () => order.push('piece') });
  const phrase = recogniser.hear(new Float32Array(16_000), 'uz').then((words) => {
    order.push('phrase');
    return words;
  });
  expect(await phrase).toEqual([]);
  await file;
  expect(order.indexOf('phrase')).toBeLessThan(order.length - 1);
});

it('a model that takes more memory than is free is not loaded, and the next try is one', async () => {
  let free = 100 * 1024 ** 2;
  const recogniser = recogniserWith({}, { freeMemory: () => free });
  expect((await hear(recogniser, 'ru')).outcome).toMatchObject({ kind: 'failed', code: 'too_little_memory' });
  free *= 10;
  expect((await hear(recogniser, 'ru')).outcome).toEqual({ kind: 'done' });
});

it('what is loaded and not at work makes room for another model', async () => {
  const both = { ru: join(folder, 'a.onnx'), en: join(folder, 'b.onnx'), uz: small.networkPath };
  await copyFile(small.networkPath, both.ru);
  await copyFile(small.networkPath, both.en);
  const memory: number[] = [];
  const recogniser = new Recogniser({
    workerUrl,
    threads: 1,
    modelFor: async (language) => ({ ...small, networkPath: both[language], model: null }),
    freeMemory: () => memory.shift() ?? 0,
  });
  open.push(recogniser);
  memory.push(1024 ** 3, 1024 ** 3);
  const second = new Float32Array(16_000);
  expect(await recogniser.hear(second, 'ru')).toEqual([]);
  expect(await recogniser.hear(second, 'en')).toEqual([]);
  // The first one had to go, so it is asked for memory again.
  expect(await recogniser.hear(second, 'ru')).toMatchObject({ code: 'too_little_memory' });
});

it('a pause lets the piece at work end, and dictation goes on meanwhile', async () => {
  const recogniser = recogniserWith();
  let pieces = 0;
  const paused = Promise.withResolvers<void>();
  const file = hear(recogniser, 'uz', {
    onPiece: () => {
      pieces += 1;
      recogniser.pause(true);
      paused.resolve();
    },
  });
  await paused.promise;
  expect(await recogniser.hear(new Float32Array(16_000), 'uz')).toEqual([]);
  // The whole recording takes longer than the piece that must not come.
  await hear(recogniserWith(), 'uz');
  expect(pieces).toBe(1);
  const canceled = new AbortController();
  const waiting = hear(recogniser, 'ru', { signal: canceled.signal });
  canceled.abort();
  expect((await waiting).outcome).toEqual({ kind: 'canceled' });
  recogniser.pause(false);
  await expect.poll(() => pieces, { timeout: 20_000 }).toBe(2);
  recogniser.pause(false);
  expect((await file).outcome).toEqual({ kind: 'done' });
});

it('what a minute of audio takes on this computer is measured and kept', async () => {
  const model = await knownAs(small);
  const modelFor = async () => ({ ...small, model });
  let last = 0;
  const kept: Promise<void>[] = [];
  const onFactor = ({ id }: { readonly id: string }, factor: number) => {
    last = factor;
    kept.push(keepFactor(folder, id, factor));
  };
  const recogniser = new Recogniser({ workerUrl, threads: 1, modelFor, onFactor });
  open.push(recogniser);
  expect(await readFactors(folder)).toEqual({});
  await hear(recogniser, 'uz');
  expect(last).toBe(0);
  await hear(recogniser, 'uz');
  expect(last).toBeGreaterThan(0);
  expect(last).toBeLessThan(5);
  await Promise.all(kept);
  expect(await readFactors(folder)).toEqual({ [model.id]: last });
  await writeFile(join(folder, 'factors.json'), '{"cut');
  expect(await readFactors(folder)).toEqual({});
});

it('a network that is not needed any more is reported once it has ended', async () => {
  const worn = Promise.withResolvers<void>();
  const recogniser = recogniserWith({}, { idleMs: 1, onWorn: () => worn.resolve() });
  expect(await recogniser.hear(new Float32Array(16_000), 'ru')).toEqual([]);
  await worn.promise;
});

const inputs = [value('features', types.float, ['b', 64, 't']), value('feature_lengths', types.int64, ['b'])];
const output = value('log_probs', types.float, ['b', 't4', 71]);
const bytesOf = (...values: number[]) => new Uint8Array(BigInt64Array.from(values, BigInt).buffer);
/** Right in its inputs and outputs, and nothing in it can be computed. */
const greedy = (dims: readonly number[]) =>
  model({
    nodes: [node('Expand', ['zero', 'shape'], ['log_probs'])],
    weights: [
      weight('zero', types.float, [1], new Uint8Array(4)),
      weight('shape', types.int64, [dims.length], bytesOf(...dims)),
    ],
    inputs,
    outputs: [output],
  });

describe('a model that can’t be used is refused with its reason, and the next one works', () => {
  const next = recogniserWith();
  it.each([
    ['no file', 'model_missing', async () => ({ networkPath: join(folder, 'none.onnx') })],
    ['cut', 'model_damaged', () => changed(async (path) => truncate(path, 1_000_000))],
    ['empty', 'model_damaged', () => written(new Uint8Array())],
    ['no ONNX', 'model_damaged', () => written(Buffer.from('a text named .onnx'.repeat(100)))],
    [
      'with other inputs',
      'model_of_another_kind',
      () =>
        written(
          model({
            nodes: [node('Identity', ['x'], ['y'])],
            inputs: [value('x', types.float, [1, 64])],
            outputs: [value('y', types.float, [1, 64])],
          }),
        ),
    ],
    [
      'of another rank',
      'model_of_another_kind',
      () =>
        written(
          model({
            nodes: [node('Flatten', ['features'], ['log_probs'])],
            inputs,
            outputs: [value('log_probs', types.float, ['b', 't'])],
          }),
        ),
    ],
    ['that asks for 8 TB', 'model_damaged', () => written(greedy([1, 2_000_000, 1_000_000]))],
    ['that answers something else', 'vocabulary_of_another_model', () => written(greedy([1, 3, 71]))],
    [
      'with its weights elsewhere',
      'model_damaged',
      () =>
        written(
          model({
            nodes: [node('Expand', ['zero', 'shape'], ['log_probs'])],
            weights: [
              weight('zero', types.float, [1], new Uint8Array(4), 'weights.bin'),
              weight('shape', types.int64, [3], bytesOf(1, 25, 71)),
            ],
            inputs,
            outputs: [output],
          }),
        ),
    ],
    ['with a vocabulary of another model', 'vocabulary_of_another_model', () => vocabulary('a 0\nb 1\n<blk> 2\n')],
    ['with something else as its vocabulary', 'vocabulary_of_another_model', () => vocabulary('Once upon a time')],
  ] as const)('%s', async (_name, code, make) => {
    const { outcome } = await hear(recogniserWith(await make()), 'ru');
    expect(outcome).toMatchObject({ kind: 'failed', code });
    expect(await next.hear(new Float32Array(16_000), 'ru')).toEqual([]);
  });

  it('with another checksum than the one that is known', async () => {
    const { model, ...files } = { ...small, model: await knownAs(small) };
    const other = { ...model.network, sha256: '0'.repeat(64) };
    for (const damaged of [{ network: other }, { vocabulary: other }]) {
      const modelFor = async () => ({ ...files, model: { ...model, ...damaged } });
      const { outcome } = await hear(recogniserWith({}, { modelFor }), 'ru');
      expect(outcome).toMatchObject({ kind: 'failed', code: 'model_damaged' });
    }
  });
});

/** The first of the known models, with the checksums of these files. */
async function knownAs({ networkPath, vocabularyPath }: typeof small): Promise<LocalModel> {
  const [model] = localModels;
  if (model === undefined) throw new Error('no model is known');
  const sha256Of = async (path: string) =>
    createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  return {
    ...model,
    network: { ...model.network, sha256: await sha256Of(networkPath) },
    vocabulary: { ...model.vocabulary, sha256: await sha256Of(vocabularyPath) },
  };
}
async function written(bytes: Uint8Array) {
  const networkPath = join(folder, `${Math.random()}.onnx`);
  await writeFile(networkPath, bytes);
  return { networkPath };
}
async function changed(change: (path: string) => Promise<void>) {
  const networkPath = join(folder, `${Math.random()}.onnx`);
  await copyFile(small.networkPath, networkPath);
  await change(networkPath);
  return { networkPath };
}
async function vocabulary(text: string) {
  const vocabularyPath = join(folder, `${Math.random()}.txt`);
  await writeFile(vocabularyPath, text);
  return { vocabularyPath };
}
