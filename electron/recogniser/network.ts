import { readFile } from 'node:fs/promises';
import * as ort from 'onnxruntime-web';
import { withUzbekApostrophes } from '../../shared/domain/text/uzbek-letters.ts';
import type { SpeechLanguage } from '../../shared/domain/languages.ts';
import type { LocalModel } from '../../shared/domain/local-models.ts';
import { speechRules, type Span } from './find-speech.ts';
import {
  greedyWords,
  withoutLag,
  allowedClasses,
  readVocabulary,
  type HeardWord,
  type Vocabulary,
} from './greedy-words.ts';
import { bins, framesOf, logMel } from './log-mel.ts';

export type ModelFault = 'model_missing' | 'model_damaged' | 'model_of_another_kind' | 'vocabulary_of_another_model';

export class UnusableModel extends Error {
  readonly code: ModelFault;

  constructor(code: ModelFault, detail: string) {
    super(detail);
    this.code = code;
  }
}

export interface ModelFiles {
  readonly networkPath: string;
  readonly vocabularyPath: string;
  readonly label: string;
  /** Which it is, with the checksums that its files must have; null: one that is used whatever it is. */
  readonly model: LocalModel | null;
}

/** A network that hears words. Calls are made one after another. */
export interface Network {
  readonly shapes: string;
  hear(samples: Float32Array, language: SpeechLanguage, speech: readonly Span[]): Promise<readonly HeardWord[]>;
}

const detailOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 300);

async function readModel(path: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new UnusableModel('model_missing', detailOf(error));
  }
}

async function openSession(path: string): Promise<ort.InferenceSession> {
  const bytes = await readModel(path);
  try {
    return await ort.InferenceSession.create(bytes, { executionProviders: ['wasm'] });
  } catch (error) {
    throw new UnusableModel('model_damaged', detailOf(error));
  } finally {
    // The session has a copy of its own, and nobody knows when this one would be collected.
    bytes.buffer.transfer(0);
  }
}

type Metadata = ort.InferenceSession.ValueMetadata;
const shapeOf = (value: Metadata): string =>
  value.isTensor ? `${value.name} ${value.type} [${value.shape.join(', ')}]` : value.name;
const isTensor = (value: Metadata | undefined, name: string, type: string, rank: number): boolean =>
  value?.isTensor === true && value.name === name && value.type === type && value.shape.length === rank;

function refuseOther({ inputMetadata, outputMetadata }: ort.InferenceSession, vocabulary: Vocabulary): void {
  const [features, lengths] = inputMetadata;
  const [output] = outputMetadata;
  const isOurs =
    inputMetadata.length === 2 &&
    isTensor(features, 'features', 'float32', 3) &&
    isTensor(lengths, 'feature_lengths', 'int64', 1) &&
    isTensor(output, 'log_probs', 'float32', 3);
  if (!isOurs) throw new UnusableModel('model_of_another_kind', 'its inputs and outputs are not those of GigaAM');
  const classes = output?.isTensor === true ? output.shape[2] : undefined;
  if (typeof classes === 'number' && classes !== vocabulary.tokens.length)
    throw new UnusableModel(
      'vocabulary_of_another_model',
      `${classes} classes, but ${vocabulary.tokens.length} in the vocabulary`,
    );
}

/** Opens a model and tries it on a second of silence. Throws `UnusableModel`. */
export async function openNetwork({ networkPath, vocabularyPath }: ModelFiles, threads: number): Promise<Network> {
  const vocabulary = readVocabulary(new TextDecoder().decode(await readModel(vocabularyPath)));
  if (vocabulary === null) throw new UnusableModel('vocabulary_of_another_model', 'it is no list of letters');
  ort.env.logLevel = 'fatal';
  ort.env.wasm.numThreads = threads;
  const session = await openSession(networkPath);
  refuseOther(session, vocabulary);

  const run = async (samples: Float32Array): Promise<Float32Array> => {
    const frames = framesOf(samples.length);
    const { log_probs: output } = await session.run({
      features: new ort.Tensor('float32', logMel(samples), [1, bins, frames]),
      feature_lengths: new ort.Tensor('int64', BigInt64Array.of(BigInt(frames)), [1]),
    });
    const classes = vocabulary.tokens.length;
    if (output?.dims[2] !== classes || output.dims[1] !== Math.floor((frames - 1) / 4) + 1)
      throw new UnusableModel('vocabulary_of_another_model', `it answered ${output?.dims.join(' x ') ?? 'nothing'}`);
    return output.data as Float32Array;
  };
  try {
    await run(new Float32Array(16_000));
  } catch (error) {
    throw error instanceof UnusableModel ? error : new UnusableModel('model_damaged', detailOf(error));
  }
  return {
    shapes: [session.inputMetadata, session.outputMetadata].map((all) => all.map(shapeOf).join(', ')).join(' → '),
    async hear(samples, language, speech) {
      if (framesOf(samples.length) === 0) return [];
      const pausesMs = speech.flatMap(({ startMs }, at) => {
        const endMs = speech[at - 1]?.endMs ?? startMs;
        return endMs < startMs ? [(endMs + startMs) / 2] : [];
      });
      const heard = greedyWords(await run(samples), vocabulary, allowedClasses(vocabulary, language), pausesMs);
      const words = withoutLag(
        heard,
        speech.map(({ startMs }) => startMs + speechRules.marginMs),
      );
      return language === 'uz' ? words.map((word) => ({ ...word, text: withUzbekApostrophes(word.text) })) : words;
    },
  };
}
