import { speechLanguages, type SpeechLanguage } from '../../shared/domain/languages.ts';
import { hostOf, type LocalModel } from '../../shared/domain/local-models.ts';
import { modelInFolder, type ModelStore } from '../recogniser/model-store.ts';
import type { LocalCommand } from './options.ts';
import type { RunResult } from './ending.ts';
import { table } from './lists.ts';
import type { Reporter } from './reporter.ts';
import { basename, join } from 'node:path';
import { hashFile } from '../platform/node/hash-file.ts';
import type { ModelFiles } from '../recogniser/network.ts';
import { Recogniser } from '../recogniser/recogniser.ts';

export interface LocalRun extends CheckParts {
  readonly command: LocalCommand;
  readonly models: ModelStore;
  readonly reporter: Reporter;
}

export async function manageModels(run: LocalRun): Promise<RunResult> {
  const { command, models, reporter, signal } = run;
  const { words } = reporter;
  switch (command.action) {
    case 'list':
      return listModels(run);
    case 'download': {
      const { model } = (await models.list()).find((one) => one.model.id === command.target) ?? {};
      if (model === undefined) return unknown(run);
      reporter.note(words('cli.local.getting', { name: model.name, host: hostOf(model), licence: model.licence }));
      const got = await models.download(command.target, {
        signal,
        onProgress: (bytes, total) => {
          const percent = Math.floor((100 * bytes) / total);
          const text = words('cli.local.progress', { name: model.name, percent });
          reporter.status(text, { step: 'fetching', model: model.id, percent });
        },
      });
      if (!got.ok) return reporter.endWith(got.error);
      reporter.json({ model: model.id, state: 'here', error: null });
      reporter.line(words('cli.local.here', { name: model.name }));
      return 'done';
    }
    case 'add': {
      const added = await models.add([command.target]);
      if (!added.ok) return reporter.endWith(added.error);
      const { model } = added.value;
      const found = added.value.found.map(({ name, sha256 }) => ({ name, sha256 }));
      reporter.json({ model: model?.id ?? null, found, error: model === null ? { code: 'unknown_checksum' } : null });
      if (model !== null) reporter.line(words('cli.local.here', { name: model.name }));
      else {
        reporter.note(words(found.length === 0 ? 'cli.local.noFiles' : 'cli.local.unknownFiles'));
        reporter.note(table(found.map(({ name, sha256 }) => [name, sha256])));
      }
      return model === null ? 'failed' : 'done';
    }
    case 'remove':
      if (!(await models.list()).some((one) => one.model.id === command.target)) return unknown(run);
      await models.remove(command.target);
      reporter.json({ model: command.target, state: 'absent', error: null });
      reporter.line(words('cli.local.removed'));
      return 'done';
    case 'check':
      return checkFolder(run);
  }
}

function unknown({ reporter, command }: LocalRun): RunResult {
  reporter.json({ model: command.target, error: { code: 'no_such_model' } });
  reporter.note(reporter.words('cli.local.noSuch', { id: command.target }));
  return 'failed';
}

async function listModels({ models, reporter }: LocalRun): Promise<RunResult> {
  const states = await models.list();
  reporter.json({
    models: states.map(({ model, state, bytes, total, measuredFactor }) => ({
      id: model.id,
      name: model.name,
      languages: model.languages,
      licence: model.licence,
      host: hostOf(model),
      state,
      bytes,
      total,
      measuredFactor,
    })),
    error: null,
  });
  const rowOf = (model: LocalModel, state: string, total: number) => [
    model.id,
    model.languages.join(', '),
    `${Math.round(total / 1e6)} MB`,
    model.licence,
    hostOf(model),
    reporter.words(`cli.local.states.${state}`),
  ];
  reporter.line(table(states.map(({ model, state, total }) => rowOf(model, state, total))));
  return 'done';
}

async function checkFolder({ command, reporter, ...run }: LocalRun): Promise<RunResult> {
  const { words } = reporter;
  const files = await modelInFolder(command.target);
  if (files === null) {
    reporter.json({ folder: command.target, error: { code: 'model_missing' } });
    reporter.note(words('cli.local.noPair'));
    return 'failed';
  }
  for await (const finding of checkModel(files, speechLanguages, run))
    switch (finding.kind) {
      case 'file': {
        const { name: file, bytes, sha256 } = finding;
        reporter.json({ file, bytes, sha256, error: null });
        reporter.line(table([[file, String(bytes), sha256]]));
        break;
      }
      case 'network':
        reporter.json({ shapes: finding.shapes, error: null });
        reporter.line(finding.shapes);
        break;
      case 'heard': {
        const { language, text, factor } = finding;
        reporter.json({ language, text, factor, error: null });
        reporter.line(words('cli.local.heard', { language, factor: factor.toFixed(1) }));
        reporter.line(`  ${text}`);
        break;
      }
      case 'unusable': {
        const { language, code, detail } = finding;
        reporter.json({ language, error: { code, detail } });
        reporter.note(words('cli.local.unusable', { code, detail }));
        return 'failed';
      }
    }
  return run.signal.aborted ? 'failed' : 'done';
}

export interface CheckParts {
  readonly recogniserWorker: URL;
  readonly samples: string;
  readonly signal: AbortSignal;
}

export type ModelFinding =
  | { readonly kind: 'file'; readonly name: string; readonly bytes: number; readonly sha256: string }
  | { readonly kind: 'network'; readonly shapes: string }
  | { readonly kind: 'heard'; readonly language: SpeechLanguage; readonly text: string; readonly factor: number }
  | {
      readonly kind: 'unusable';
      readonly language: SpeechLanguage;
      readonly code: string;
      readonly detail: string;
    };

const samples: Readonly<Record<SpeechLanguage, string>> = {
  uz: 'interview-uz.mp3',
  ru: 'lecture-ru.ogg',
  en: 'podcast-en.flac',
};

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
