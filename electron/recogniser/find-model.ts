import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { basename, join } from 'node:path';
import type { SpeechLanguage } from '../../shared/domain/languages.ts';
import { localModels, modelForLanguage, type LocalModel } from '../../shared/domain/local-models.ts';
import type { ModelFiles } from './network.ts';

/** Where the files of a model that the app keeps are. They have these names only once they were checked. */
export const keptFiles = (folder: string, id: string): Pick<ModelFiles, 'networkPath' | 'vocabularyPath'> => ({
  networkPath: join(folder, id, 'network.onnx'),
  vocabularyPath: join(folder, id, 'vocabulary.txt'),
});

/** A model that the app keeps. */
export const keptModel = (folder: string, model: LocalModel): ModelFiles => {
  const label = `${model.name} ${model.network.sha256.slice(0, 8)}`;
  return { ...keptFiles(folder, model.id), label, model };
};

/** The model in a folder with one `.onnx` file and one `.txt` file; null when there is none, or more than one. */
export async function modelInFolder(folder: string): Promise<ModelFiles | null> {
  const names = await readdir(folder).catch((): string[] => []);
  const [networks, vocabularies] = ['.onnx', '.txt'].map((ending) => names.filter((name) => name.endsWith(ending)));
  const [network] = networks ?? [];
  const [vocabulary] = vocabularies ?? [];
  if (network === undefined || vocabulary === undefined || networks?.length !== 1 || vocabularies?.length !== 1)
    return null;
  return {
    networkPath: join(folder, network),
    vocabularyPath: join(folder, vocabulary),
    label: basename(network, '.onnx'),
    model: null,
  };
}

/** Finds the model for each language: the chosen one for all, or the best that is kept. */
export const modelFinder =
  ({ kept, chosen }: { readonly kept: string | null; readonly chosen: string | null }) =>
  async (language: SpeechLanguage): Promise<ModelFiles | null> => {
    if (chosen !== null) return modelInFolder(chosen);
    if (kept === null) return null;
    const isHere = (id: string) => Object.values(keptFiles(kept, id)).every((path) => existsSync(path));
    const present = new Set(localModels.map(({ id }) => id).filter(isHere));
    const model = modelForLanguage(present, language, totalmem());
    return model === null ? null : keptModel(kept, model);
  };
