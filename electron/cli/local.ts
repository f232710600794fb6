import { speechLanguages } from '../../shared/domain/languages.ts';
import { hostOf, type LocalModel } from '../../shared/domain/local-models.ts';
import { modelInFolder } from '../recogniser/find-model.ts';
import type { ModelStore } from '../recogniser/model-store.ts';
import { checkModel, type CheckParts } from './check-model.ts';
import type { LocalCommand } from './command.ts';
import type { RunResult } from './ending.ts';
import { table } from './lists.ts';
import type { Reporter } from './reporter.ts';

export interface LocalRun extends CheckParts {
  readonly command: LocalCommand;
  readonly models: ModelStore;
  readonly reporter: Reporter;
}

/** Models for recognition on this computer: lists, gets, takes, removes and checks them. */
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

/** Prints what a folder holds, and what its model hears in a recording of each language, or why it can't be used. */
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
