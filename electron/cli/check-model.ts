import { basename, join } from 'node:path';
import type { SpeechLanguage } from '../../shared/domain/languages.ts';
import { hashFile } from '../platform/node/hash-file.ts';
import type { ModelFiles } from '../recogniser/network.ts';
import { Recogniser } from '../recogniser/recogniser.ts';

export interface CheckParts {
  /** The module that serves the recogniser's thread. */
  readonly recogniserWorker: URL;
  /** Folder of the sample recordings that a check hears. */
  readonly samples: string;
  readonly signal: AbortSignal;
}

/** What is found out about a model, step by step. */
export type ModelFinding =
  | { readonly kind: 'file'; readonly name: string; readonly bytes: number; readonly sha256: string }
  | { readonly kind: 'network'; readonly shapes: string }
  /** `factor`: how many times as fast as the recording. */
  | { readonly kind: 'heard'; readonly language: SpeechLanguage; readonly text: string; readonly factor: number }
  | {
      readonly kind: 'unusable';
      readonly language: SpeechLanguage;
      readonly code: string;
      readonly detail: string;
    };

/** Each is shorter than a minute. */
const samples: Readonly<Record<SpeechLanguage, string>> = {
  uz: 'interview-uz.mp3',
  ru: 'lecture-ru.ogg',
  en: 'podcast-en.flac',
};

/** The files of a model, its network, and what it hears in a recording of each language; it ends where it can't be used. */
export async function* checkModel(
  files: ModelFiles,
  languages: readonly SpeechLanguage[],
  { recogniserWorker, samples: folder, signal }: CheckParts,
): AsyncGenerator<ModelFinding> {
  for (const path of [files.networkPath, files.vocabularyPath]) {
    const read = await hashFile(path, signal);
    if (read.ok) yield { kind: 'file', name: basename(path), bytes: read.value.sizeBytes, sha256: read.value.sha256 };
  }
  const recogniser = new Recogniser({ workerUrl: recogniserWorker, modelFor: async () => files, threads: 1 });
  try {
    let isSeen = false;
    for (const language of languages) {
      let [durationMs, shapes] = [0, ''];
      const heard: string[] = [];
      const beganAt = performance.now();
      const outcome = await recogniser.hearFile(
        { path: join(folder, samples[language]), language, done: 0 },
        {
          onPlan: (plan) => ({ durationMs, shapes } = plan),
          onPiece: (piece) => void heard.push(...piece.map(({ text }) => text)),
        },
        signal,
      );
      const factor = durationMs / (performance.now() - beganAt);
      if (outcome.kind === 'canceled') return;
      if (!isSeen && shapes !== '') yield { kind: 'network', shapes };
      isSeen = true;
      if (outcome.kind === 'failed') {
        yield { ...outcome, kind: 'unusable', language };
        return;
      }
      yield { kind: 'heard', language, text: heard.join(' '), factor };
    }
  } finally {
    await recogniser.close();
  }
}
